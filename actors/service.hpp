// Starts all actors and is the way to them. Recovery comes first: runs that were computing when the program
// ended are marked as interrupted, and waiting runs stand in line again in their old order.
#pragma once
#include <caf/actor_system.hpp>
#include <string>
#include <vector>

#include "actors/clock.hpp"
#include "actors/geocoding/geocoder.hpp"
#include "actors/messages.hpp"
#include "actors/meters.hpp"
#include "actors/options.hpp"
#include "actors/pictures/renderer.hpp"
#include "actors/projects/projects.hpp"
#include "actors/runs/analyst.hpp"
#include "actors/sign_in/mailer.hpp"
#include "actors/sign_in/options.hpp"
#include "actors/watch.hpp"
#include "actors/workers/workers_pool.hpp"
#include "persistence/store.hpp"

namespace actors {

/// What the actors need from outside.
struct ServiceParts {
  Compute compute;
  Locate locate;
  LookUp look_up = {};  ///< tried before a geocoder is asked
  RenderResult render;
  Clock clock = system_now_ms;
  MetersPtr meters = private_meters();
  Draw draw = draw_medium;
  OnDeath on_death = end_program;  ///< called when an actor ends without being told to
  std::function<void(const std::string&)> on_no_slot = end_with;  ///< called when every slot is lost for ever
  SignInOptions sign_in = {};
  Deliver deliver = {};                ///< none: as sign_in says
  WorkersPoolActor::Leads leads = {};  ///< whether workers may compute for this service now; none: always
  WorkersPoolActor::Facts home_facts = {};  ///< what workers must be like; none: nobody may connect
  std::size_t outcome_max = 8U << 20U;      ///< bytes of a worker's result with its scene
};

class Service {
 public:
  /// `store` must outlive the actor system. The error is one sentence: the store cannot be read or written.
  static tl::expected<Service, std::string> start(caf::actor_system& system, persistence::Store& store,
                                                  const ActorOptions& options, const ServiceParts& parts);

  /// What an operator's commands need when no server runs: accounts, projects without runs, renderers.
  static Service start_administration(caf::actor_system& system, persistence::Store& store,
                                      const ActorOptions& options);

  /// Ends every actor, so that the actor system can end.
  void stop() const;

  /// All actors that live as long as the service, in the order in which they were started.
  const std::vector<caf::actor>& everyone() const { return everyone_; }

  /// Those that never wait: not for disks, nor for services outside, nor for passwords.
  const std::vector<caf::actor>& prompt() const { return prompt_; }
  const Journal& journal() const { return journal_; }

  /// The shard that takes a call from this calling address.
  const AddressGuard& guard_for(const std::string& address) const;
  const Accounts& accounts_for(std::uint64_t account) const;
  const Projects& projects_for(std::uint64_t account) const;
  const Members& members() const { return members_; }
  /// Where workers report; null without home_facts.
  const WorkersPool& workers() const { return workers_; }
  /// The account that owns the project; looks through all projects.
  persistence::Stored<std::optional<std::uint64_t>> owner_of(std::uint64_t project) const;

  /// Ends the service. No run starts any more. Runs that compute have `to_finish` to end; then they are told
  /// to stop and have `to_stop` for that. The counts of accounts and calling addresses are written. False
  /// when a run still computes after that.
  bool drain(caf::actor_system& system, std::chrono::milliseconds to_finish,
             std::chrono::milliseconds to_stop) const;

 private:
  void spawn_members(caf::actor_system& system, const ActorOptions& options, const ServiceParts& parts);
  void spawn_analysts(caf::actor_system& system, const ActorOptions& options, const ServiceParts& parts);
  void spawn_renderers(caf::actor_system& system, const ActorOptions& options, const Draw& draw,
                       const MetersPtr& meters);
  /// Watches an actor that has just been started, and remembers it.
  template <class Handle>
  Handle kept(Handle actor) {
    prompt_.push_back(caf::actor_cast<caf::actor>(actor));
    return kept_waiting(std::move(actor));
  }
  /// One with a thread of its own, because it waits.
  template <class Handle>
  Handle kept_waiting(Handle actor) {
    watch(actor, on_death_);
    everyone_.push_back(caf::actor_cast<caf::actor>(actor));
    return actor;
  }

  persistence::Store* store_ = nullptr;
  OnDeath on_death_ = end_program;
  std::vector<caf::actor> everyone_, prompt_;
  std::vector<AddressGuard> guards_;
  std::vector<Accounts> accounts_;
  std::vector<Projects> projects_;
  SlotScheduler scheduler_;
  Analysts analysts_;
  WorkersPool workers_;
  Journal journal_;
  Renderers renderers_;
  Members members_;
};

}  // namespace actors
