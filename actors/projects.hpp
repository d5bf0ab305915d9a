// A shard of the projects: one project per account and house, the state of its newest run, its result.
// Everything a client is told was on disk before. The files: projects.cpp (requests), project_creation.cpp
// (from an address to a stored project), project_restart.cpp (a new run of a project), project_runs.cpp (a
// run's life), project_quarantine.cpp (damaged results), project_media.cpp (images and the list of them),
// project_save.cpp (model and orthophoto, when its owner saves it), project_shelf.cpp (records in memory and
// in the store).
#pragma once
#include <caf/typed_event_based_actor.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "actors/believed_time.hpp"
#include "actors/clock.hpp"
#include "actors/geocoder.hpp"
#include "actors/line_ration.hpp"
#include "actors/measured.hpp"
#include "actors/messages.hpp"
#include "actors/open_requests.hpp"
#include "actors/options.hpp"
#include "actors/project_shelf.hpp"
#include "actors/recent_cache.hpp"
#include "actors/result_view.hpp"
#include "actors/run_pace.hpp"
#include "persistence/records.hpp"

namespace actors {

/// Whom a shard of projects works with.
struct ProjectsPeers {
  Journal journal;
  SlotScheduler scheduler;
  Analysts analysts;
  std::vector<Geocoder> geocoders;
  Renderers renderers;
  LookUp look_up = {};  ///< none: every address goes to a geocoder
};

/// What must be named with a picture of the analysis (project_media.cpp).
std::string attribution_of(const geo::RoofAnalysis& analysis);

class ProjectsActor : public Measured<Projects::base> {
 public:
  ProjectsActor(caf::actor_config& config, persistence::Store& store, const ActorOptions& options,
                Clock clock, RenderResult render, ProjectsPeers peers, std::size_t shard,
                MetersPtr meters = private_meters());
  const char* name() const override { return "projects"; }
  // As in slot_scheduler.hpp: promises hold those who wait for them.
  void on_exit() override {
    peers_ = {};
    at_geocoder_.clear();
    at_journal_.clear();
    restarting_.clear();
    in_creation_.clear();
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
    std::string spelling_key;              // address_key of the text as sent
    Located place;                         // what it was resolved to
    std::string house_key;                 // address_key of that house
    Entry entry;                           // while it is being stored
    std::vector<const std::string*> held;  // keys of in_creation_ that no other creation may use meanwhile
  };
  using CreationPtr = std::shared_ptr<Creation>;
  /// What only one creation, or one restart of a project, may do at a time.
  template <class Waiting>
  struct UnderWay {
    bool late = false;  // the journal has neither stored nor refused in time: nobody waits for that
    std::vector<Waiting> waiting;
  };

  /// A new run on its way into the line.
  struct Restart {
    Ticket ticket;
    RestartAnalysis order;
    Promise promise;
  };

  /// A project's model and orthophoto on their way into the store.
  struct Save {
    SaveProject order;
    caf::typed_response_promise<AdminReply> promise;
    std::uint64_t run = 0;  // that they are made of
    persistence::SavedMedia media;
    SharedText model, orthophoto;
  };
  using SavePtr = std::shared_ptr<Save>;

  behavior_type make_behavior() override;

  // Requests (projects.cpp).
  caf::result<Answer> handle(const Ticket& ticket, Command& command);
  caf::result<Answer> query(const Ticket& ticket, std::uint64_t project);
  void tell_state(Promise promise, const Ticket& ticket, const Entry& entry);
  Outcome settled_state(const Entry& entry);
  Outcome result_of(const Entry& entry);
  tl::expected<geo::RoofAnalysis, Refusal> stored_analysis(const Entry& entry) const;
  Outcome rendered(const Entry& entry, const geo::RoofAnalysis& analysis);
  bool expired(const persistence::Run& run) const;
  Outcome list(const Ticket& ticket, const ListProjects& order) const;

  // Media (project_media.cpp).
  caf::result<Answer> media(const Ticket& ticket, const QueryMedia& order);
  tl::expected<RenderOrder, Refusal> image_order(const Entry& entry, const QueryMedia& query) const;
  tl::expected<RenderOrder, Refusal> file_order(const Entry& entry, MediaKind kind) const;
  persistence::Stored<std::optional<persistence::SavedMedia>> saved_media(const Entry& entry) const;
  Outcome list_media(const Entry& entry) const;

  // Saving (project_save.cpp); each step calls the next.
  caf::result<AdminReply> save(const SaveProject& order);
  void make(const SavePtr& saving, MediaKind kind, std::function<void(const SharedText*)> then);
  void store(const SavePtr& saving);

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
  std::optional<Located> known_place(const std::string& address) const;
  void located(const CreationPtr& creation, Located place);
  void check_room(const CreationPtr& creation);
  void store(const CreationPtr& creation);
  void stored(const CreationPtr& creation);
  void late(const CreationPtr& creation);
  void answer_existing(const CreationPtr& creation, std::uint64_t project);
  void refuse(const CreationPtr& creation, Refusal refusal, std::string_view reason = {});
  bool hold_or_wait(const CreationPtr& creation, const std::string& key);
  void let_go(const CreationPtr& creation);

  // Damaged results (project_quarantine.cpp).
  caf::result<AdminReply> quarantine(const QuarantineResult& order);
  caf::result<AdminReply> discard(const DiscardAside& order);

  // Runs (project_runs.cpp).
  void start(const RunRef& ref);
  void compute(const RunRef& ref);
  void step_done(const StepDone& step);
  void finish(const RunOutcome& outcome);
  void fail(const RunRef& ref, Code code, const std::string& reason, const std::string& text = {});
  void close(const RunRef& ref, const persistence::Run& closed, persistence::Writes writes);
  void thread_ended(const RunRef& ref, std::int64_t computing_ms);
  void sweep();
  void sweep_one(std::string_view expiry, persistence::Writes& writes);
  void sweep_later(bool at_once);
  Entry* computing(const RunRef& ref);

  /// Asks the journal; `then` hears whether the writes are on disk, whenever it says so. `late` hears that it
  /// has not said so in time: nothing is known until `then` is called.
  template <class Then>
  void commit(
      persistence::Writes writes, Then then, OpenRequests::Late late = [] {}) {
    at_journal_.follow<bool>(*this, peers_.journal, std::move(then), std::move(late), std::move(writes));
  }
  const Geocoder& next_geocoder();
  OpenRequests::Wake wake();

  persistence::Store& store_;
  ActorOptions options_;
  Clock clock_;
  RenderResult render_;
  ProjectsPeers peers_;
  std::size_t shard_;
  OpenRequests at_geocoder_, at_journal_;
  ProjectShelf shelf_;
  RecentCache<std::uint64_t, SharedText> rendered_;  // by project, weighed in bytes
  RunPace pace_;
  LineRation room_;
  std::set<std::uint64_t> closing_;                        // runs whose end is being written
  std::map<std::uint64_t, std::int64_t> slots_held_;       // those whose thread has ended: computing time, ms
  std::map<std::uint64_t, UnderWay<Restart>> restarting_;  // by project
  std::unordered_map<std::string, UnderWay<CreationPtr>> in_creation_;  // by held key
  BelievedTime believed_;
  std::string swept_to_;  // the expiry at which the sweep goes on; empty: at the first
  std::size_t geocoder_turn_ = 0;
};

}  // namespace actors
