// A shard of the projects: one project per account and house, the state of its newest run, its result.
// Everything a client is told is on disk first. This actor orders the work of plain classes: records
// (ProjectShelf, project_changes.hpp), results (ProjectResults), media (ProjectMedia), who waits for whom
// (OneAtATime, RunEnds, OpenWrites). Its files: projects.cpp (requests), project_creation.cpp (from an
// address to a stored project), project_restart.cpp (a new run of a project), project_runs.cpp (a run's
// life), project_save.cpp (model and orthophoto, when its owner saves it), project_deeds.cpp and
// project_deletion.cpp (what the web application lets its owner do), project_quarantine.cpp (damaged
// results).
#pragma once
#include <caf/typed_event_based_actor.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "actors/clock.hpp"
#include "actors/geocoding/geocoder.hpp"
#include "actors/measured.hpp"
#include "actors/messages.hpp"
#include "actors/open_requests.hpp"
#include "actors/options.hpp"
#include "actors/projects/believed_time.hpp"
#include "actors/projects/one_at_a_time.hpp"
#include "actors/projects/open_writes.hpp"
#include "actors/projects/project_changes.hpp"
#include "actors/projects/project_media.hpp"
#include "actors/projects/project_results.hpp"
#include "actors/projects/project_shelf.hpp"
#include "actors/projects/result_view.hpp"
#include "actors/runs/line_ration.hpp"
#include "actors/runs/run_ends.hpp"
#include "actors/runs/run_pace.hpp"
#include "persistence/records.hpp"

namespace actors {

/// The actors that a shard of projects works with.
struct ProjectsPeers {
  Journal journal;
  SlotScheduler scheduler;
  Analysts analysts;
  std::vector<Geocoder> geocoders;
  Renderers renderers;
  LookUp look_up = {};  ///< none: every address goes to a geocoder
};

/// How a saving ended.
struct SaveEnd {
  std::optional<Refusal> refusal;
  std::string text;  ///< the same for an operator
};
enum class Deletion : std::uint8_t { done, unknown, refused };

class ProjectsActor : public Measured<Projects::base> {
 public:
  ProjectsActor(caf::actor_config& config, persistence::Store& store, const ActorOptions& options,
                Clock clock, RenderResult render, ProjectsPeers peers, std::size_t shard,
                MetersPtr meters = private_meters());
  const char* name() const override { return "projects"; }
  // Promises hold the actors that wait for them (as in runs/slot_scheduler.hpp).
  void on_exit() override {
    peers_ = {};
    at_geocoder_.clear();
    at_journal_.clear();
    restarting_.clear();
    naming_.clear();
    creating_.clear();
    open_writes_.clear();
  }

 private:
  using Promise = caf::typed_response_promise<Answer>;
  using Entry = ProjectEntry;
  /// A creation on its way through geocoding and storing.
  struct Creation {
    Ticket ticket;
    CreateProject order;
    bool single_call = false;
    Promise promise;
    geo::AddressText address;              // of the order
    std::string spelling_key;              // address_key of it
    Located place;                         // what the text was resolved to
    std::string house_key;                 // address_key of that house
    std::string quota_key;                 // of a test account
    std::string request_id;                // for the log
    Entry entry;                           // while it is being stored
    std::vector<const std::string*> held;  // the keys of this creation that are blocked for others
  };
  using CreationPtr = std::shared_ptr<Creation>;
  /// A new run on its way into the line.
  struct Restart {
    Ticket ticket;
    RestartAnalysis order;
    Promise promise;
  };
  using Creations = OneAtATime<std::string, CreationPtr>;  // by spelling, house, or test account
  using Restarts = OneAtATime<std::uint64_t, Restart>;     // by project
  /// A new name on its way to the disk.
  struct Naming {
    Ticket ticket;
    RenameProject order;
    Promise promise;
  };
  using Namings = OneAtATime<std::uint64_t, Naming>;  // by project

  /// A project's model and orthophoto on their way into the store.
  struct Save {
    SaveProject order;
    std::function<void(SaveEnd)> answer;
    std::uint64_t run = 0;  // the run they are made from
    persistence::SavedMedia media;
    SharedText model, orthophoto;
  };
  using SavePtr = std::shared_ptr<Save>;

  behavior_type make_behavior() override;

  // Requests (projects.cpp).
  caf::result<Answer> handle(const Ticket& ticket, Command& command);
  caf::result<Answer> query(const Ticket& ticket, std::uint64_t project);
  /// `keeps_inputs`: as in Running.
  void tell_state(Promise promise, const Ticket& ticket, const Entry& entry, bool keeps_inputs = false);
  Outcome settled_state(const Entry& entry);
  caf::result<Answer> list(const Ticket& ticket, const ListProjects& order);
  caf::result<Answer> media(const Ticket& ticket, const QueryMedia& query);

  // Saving (project_save.cpp); each step calls the next.
  caf::result<AdminReply> save(const SaveProject& order);
  void save(const SaveProject& order, std::function<void(SaveEnd)> answer);
  void make(const SavePtr& saving, MediaKind kind, std::function<void(const SharedText*)> then);
  void store(const SavePtr& saving);
  void save_anew(const RunRef& ref);

  // Restart (project_restart.cpp); each step calls the next.
  caf::result<Answer> restart(const Ticket& ticket, const RestartAnalysis& order);
  void begin(Restart restart);
  void check_room(const Restart& restart);
  void queue_again(const Restart& restart);
  void late(const Restart& restart);
  void over(Restart restart, const std::optional<Refusal>& refusal, std::string_view reason = {});
  void stand_in_line(const Restart& restart);

  // Creation (project_creation.cpp); each step calls the next.
  caf::result<Answer> create(const Ticket& ticket, CreateProject order, bool single_call);
  void begin(const CreationPtr& creation);
  void locate(const CreationPtr& creation);
  std::optional<Located> known_place(const geo::AddressText& address) const;
  void located(const CreationPtr& creation, Located place);
  void check_room(const CreationPtr& creation);
  void store(const CreationPtr& creation);
  void stored(const CreationPtr& creation);
  void late(const CreationPtr& creation);
  void answer_existing(const CreationPtr& creation, std::uint64_t project);
  void refuse(const CreationPtr& creation, Refusal refusal, std::string_view reason = {});
  bool hold_or_wait(const CreationPtr& creation, const std::string& key);
  void let_go(const CreationPtr& creation);

  // For the web application (project_deeds.cpp).
  caf::result<Answer> read(const Ticket& ticket, const ReadProject& order);
  caf::result<Answer> read(const Ticket& ticket, const ReadAnalysis& order);
  caf::result<Answer> rename(const Ticket& ticket, const RenameProject& order);
  void begin(Naming naming);
  void over(Naming naming, Outcome outcome);
  caf::result<Answer> save(const Ticket& ticket, const StoreMedia& order);
  void add_details(std::uint64_t account, ProjectLine& line);

  // Deletion (project_deletion.cpp).
  struct Removal {
    std::uint64_t account, project;
    bool keep_quota;  ///< a test account has one address, and it has had it
    std::function<void(Deletion)> then;
    OpenRequests::Late late;
  };
  caf::result<Answer> remove(const Ticket& ticket, const DeleteProject& order);
  void remove(const Removal& removal);
  void removed(const RunRef& run, bool on_disk);
  caf::result<AdminReply> erase(const EraseProjects& order);
  void erase_next(std::uint64_t account, std::size_t erased, caf::typed_response_promise<AdminReply> promise);

  // Damaged results (project_quarantine.cpp).
  caf::result<AdminReply> quarantine(const QuarantineResult& order);
  caf::result<AdminReply> give_up(const GiveUpLost& order);
  void put_without_result(const persistence::Run& without);
  caf::result<AdminReply> discard(const DiscardAside& order);

  // Runs (project_runs.cpp).
  void start(const RunRef& ref);
  void compute(const RunRef& ref);
  void step_done(const StepDone& step);
  void finish(const RunOutcome& outcome);
  void overdue(const RunRef& ref);
  void fail(const RunRef& ref, const std::string& reason);
  void close(const RunRef& ref, ProjectChange change);
  void thread_ended(const RunRef& ref, std::int64_t computing_ms);
  void give_back_slot(const RunRef& ref, std::int64_t computing_ms);
  void sweep();
  void sweep_later(bool at_once);
  Entry* computing(const RunRef& ref);
  void put_run(Entry next);
  void put_restarted(Entry next);
  void unless_leaving(std::uint64_t project, OpenWrites::Do then);

  /// Asks the journal. `then` is called when it answers, with whether the writes are on disk. `late` is
  /// called when it has not answered in time. Whether the writes are on disk is open then; `then` says so
  /// later.
  template <class Then>
  void commit(
      persistence::Writes writes, Then then, OpenRequests::Late late = [] {}) {
    at_journal_.follow<bool>(*this, peers_.journal, std::move(then), std::move(late), std::move(writes));
  }
  /// The same for writes of a project: a deletion waits for them.
  template <class Then>
  void commit(
      std::uint64_t project, persistence::Writes writes, Then then, OpenRequests::Late late = [] {}) {
    open_writes_.begin(project);
    commit(
        std::move(writes),
        [this, project, then = std::move(then)](bool on_disk) mutable {
          then(on_disk);
          written(project);
        },
        std::move(late));
  }
  void written(std::uint64_t project);
  const Geocoder& next_geocoder();
  OpenRequests::Wake wake();

  persistence::Store& store_;
  ActorOptions options_;
  Clock clock_;
  ProjectsPeers peers_;
  OpenRequests at_geocoder_, at_journal_;
  ProjectShelf shelf_;
  ProjectResults results_;
  ProjectMedia media_;
  ExpirySweep expired_;
  RunPace pace_;
  LineRation room_;
  RunEnds ends_;
  std::set<std::uint64_t> closed_;  // accounts whose projects have been erased, or are being
  OpenWrites open_writes_;
  Restarts restarting_;
  Namings naming_;
  Creations creating_;
  BelievedTime believed_;
  std::size_t geocoder_turn_ = 0;
};

}  // namespace actors
