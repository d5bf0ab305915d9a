#include "actors/service.hpp"

#include <caf/scoped_actor.hpp>
#include <thread>

#include "actors/accounts/accounts.hpp"
#include "actors/accounts/address_guard.hpp"
#include "actors/journal.hpp"
#include "actors/pictures/renderers.hpp"
#include "actors/recovery.hpp"
#include "actors/runs/analysts.hpp"
#include "actors/runs/slot_scheduler.hpp"
#include "actors/runs/thread_priority.hpp"
#include "actors/sign_in/members.hpp"
#include "actors/sign_in/passwords.hpp"
#include "persistence/keys.hpp"

namespace actors {

tl::expected<Service, std::string> Service::start(caf::actor_system& system, persistence::Store& store,
                                                  const ActorOptions& options, const ServiceParts& parts) {
  const auto waiting = recover(store, parts.clock, parts.meters->log());
  const auto emails = missing_emails(store);
  if (!waiting || !emails || (!emails->empty() && !store.commit(*emails)))
    return tl::make_unexpected(std::string("the data directory cannot be read or written"));

  Service service;
  service.store_ = &store;
  service.on_death_ = parts.on_death;
  service.journal_ = service.kept_waiting(system.spawn<JournalActor, caf::detached>(store, parts.meters));
  service.spawn_renderers(system, options, parts.draw, parts.meters);
  service.scheduler_ = service.kept(system.spawn<SlotSchedulerActor>(options, parts.clock, parts.meters));
  service.spawn_analysts(system, options, parts);
  ProjectsPeers peers{service.journal_,   service.scheduler_, service.analysts_, {},
                      service.renderers_, parts.look_up};
  for (std::uint32_t i = 0; i < options.geocoders; ++i)
    peers.geocoders.push_back(service.kept_waiting(
        system.spawn<GeocoderActor, caf::detached>(parts.locate, parts.clock, parts.meters)));
  for (std::uint32_t i = 0; i < options.project_shards; ++i)
    service.projects_.push_back(service.kept(system.spawn<ProjectsActor>(
        store, options, parts.clock, parts.render, peers, std::size_t{i}, parts.meters)));
  for (std::uint32_t i = 0; i < options.account_shards; ++i)
    service.accounts_.push_back(service.kept(system.spawn<AccountsActor>(
        store, options, parts.clock, service.journal_, service.projects_, parts.meters)));
  for (std::uint32_t i = 0; i < options.address_shards; ++i)
    service.guards_.push_back(service.kept(system.spawn<AddressGuardActor>(
        store, options, parts.clock, service.journal_, service.accounts_, std::size_t{i}, parts.meters)));
  service.spawn_members(system, options, parts);

  caf::anon_send(service.members_, sweep_atom::value);
  for (const Projects& shard : service.projects_) caf::anon_send(shard, sweep_atom::value);
  for (const AddressGuard& shard : service.guards_) caf::anon_send(shard, sweep_atom::value);
  // Sent straight to the scheduler: through the shards the old order would be lost.
  for (const RunRef& ref : *waiting)
    caf::anon_send(service.scheduler_, ref,
                   service.projects_[shard_of(ref.account, service.projects_.size())]);
  return service;
}

Service Service::start_administration(caf::actor_system& system, persistence::Store& store,
                                      const ActorOptions& options) {
  Service service;
  service.store_ = &store;
  service.journal_ = service.kept_waiting(system.spawn<JournalActor, caf::detached>(store));
  service.accounts_.push_back(service.kept(system.spawn<AccountsActor>(store, options, Clock(system_now_ms),
                                                                       service.journal_, service.projects_)));
  service.spawn_renderers(system, options, draw_medium, private_meters());
  service.projects_.push_back(service.kept(system.spawn<ProjectsActor>(
      store, options, Clock(system_now_ms), RenderResult(),
      ProjectsPeers{.journal = service.journal_, .renderers = service.renderers_}, std::size_t{0})));
  service.members_ = service.kept(system.spawn<MembersActor>(
      store, options, SignInOptions(), Clock(system_now_ms),
      MembersPeers{
          .journal = service.journal_, .accounts = service.accounts_, .projects = service.projects_}));
  return service;
}

void Service::spawn_members(caf::actor_system& system, const ActorOptions& options,
                            const ServiceParts& parts) {
  MembersPeers peers{journal_, {}, {}, accounts_, projects_};
  const auto hasher = std::make_shared<const PasswordHasher>(parts.sign_in.cost);
  const auto rest = parts.sign_in.hashers == 1 ? std::optional<Rest>(std::in_place) : std::nullopt;
  for (std::uint32_t i = 0; i < parts.sign_in.hashers; ++i)
    peers.passwords.push_back(kept_waiting(system.spawn<PasswordsActor, caf::detached>(
        hasher, [] { step_behind_others(kDrawing); }, rest, parts.meters)));
  peers.mailer = kept_waiting(system.spawn<MailerActor, caf::detached>(
      *store_, parts.sign_in.sender, parts.deliver ? parts.deliver : delivery_of(parts.sign_in), parts.clock,
      journal_, parts.meters));
  members_ =
      kept(system.spawn<MembersActor>(*store_, options, parts.sign_in, parts.clock, peers, parts.meters));
  caf::anon_send(peers.mailer, next_atom::value);
}

void Service::spawn_analysts(caf::actor_system& system, const ActorOptions& options,
                             const ServiceParts& parts) {
  const auto spawn = [&system, compute = parts.compute, meters = parts.meters] {
    return system.spawn<AnalystActor, caf::detached>(
        compute, [] { step_behind_others(kComputing); }, meters);
  };
  const auto on_stuck = [slots = options.slots, end = parts.on_no_slot](std::size_t runs) {
    if (runs >= slots)
      end("each of the " + std::to_string(slots) +
          " slots is held by a run that does not stop, as when a read of the data hangs; the program "
          "ends, so that it is started anew");
  };
  analysts_ = kept(system.spawn<AnalystsActor>(AnalystsActor::Spawn(spawn), parts.meters,
                                               AnalystsActor::OnStuck(on_stuck)));
  if (!parts.home_facts) return;
  workers_ = kept(system.spawn<WorkersPoolActor>(analysts_, parts.home_facts, parts.leads, parts.meters,
                                                 parts.outcome_max));
  analysts_ = workers_;
}

void Service::spawn_renderers(caf::actor_system& system, const ActorOptions& options, const Draw& draw,
                              const MetersPtr& meters) {
  const auto spawn = [&system, &store = *store_, draw, meters] {
    return system.spawn<RendererActor, caf::detached>(
        store, draw, [] { step_behind_others(kDrawing); }, meters);
  };
  renderers_ = kept(system.spawn<RenderersActor>(options, RenderersActor::Spawn(spawn), meters));
}

/// Ends the askers before those they ask: the journal writes all that has reached it and ends last.
void Service::stop() const {
  for (auto actor = everyone_.rbegin(); actor != everyone_.rend(); ++actor)
    caf::anon_send_exit(*actor, caf::exit_reason::user_shutdown);
}

const AddressGuard& Service::guard_for(const std::string& address) const {
  return guards_[guard_shard_of(address, guards_.size())];
}

const Accounts& Service::accounts_for(std::uint64_t account) const {
  return accounts_[shard_of(account, accounts_.size())];
}

const Projects& Service::projects_for(std::uint64_t account) const {
  return projects_[shard_of(account, projects_.size())];
}

persistence::Stored<std::optional<std::uint64_t>> Service::owner_of(std::uint64_t project) const {
  constexpr std::size_t kProjectAt = 8;  // after the account's 8 bytes
  std::optional<std::uint64_t> owner;
  const auto scanned = store_->scan(persistence::Table::projects, {}, persistence::Store::Order::ascending,
                                    {}, [&](std::string_view key, std::string_view) {
                                      if (persistence::number_at(key, kProjectAt) != project) return true;
                                      owner = persistence::number_at(key, 0);
                                      return false;
                                    });
  if (!scanned) return tl::make_unexpected(scanned.error());
  return owner;
}

bool Service::drain(caf::actor_system& system, std::chrono::milliseconds to_finish,
                    std::chrono::milliseconds to_stop) const {
  constexpr auto kLook = std::chrono::milliseconds(20);
  constexpr auto kLastWrite = std::chrono::seconds(5);
  caf::scoped_actor self(system);
  self->send(scheduler_, drain_atom::value);
  const auto computing = [&] {
    std::uint64_t count = 0;
    self->request(analysts_, caf::infinite, drain_atom::value)
        .receive([&](std::uint64_t n) { count = n; }, [](const caf::error&) {});
    return count;
  };
  const auto wait_for = [&](std::chrono::milliseconds time) {
    const auto end = std::chrono::steady_clock::now() + time;
    while (computing() > 0 && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(kLook);
    return computing() == 0;
  };
  bool over = wait_for(to_finish);
  if (!over) {
    self->send(analysts_, cancel_atom::value);
    over = wait_for(to_stop);
  }
  const auto save = [&](const auto& shard) {
    self->request(shard, kLastWrite, save_atom::value).receive([](bool) {}, [](const caf::error&) {});
  };
  for (const AddressGuard& shard : guards_) save(shard);
  for (const Accounts& shard : accounts_) save(shard);
  return over;
}

}  // namespace actors
