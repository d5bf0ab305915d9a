#include "tests/actors/fixture.hpp"

#include <caf/event_based_actor.hpp>
#include <caf/send.hpp>
#include <random>

#include "actors/accounts/address_guard.hpp"
#include "actors/accounts/key_text.hpp"
#include "actors/journal.hpp"
#include "actors/pictures/renderers.hpp"
#include "actors/recovery.hpp"
#include "actors/runs/slot_scheduler.hpp"
#include "actors/sign_in/mailer.hpp"
#include "actors/sign_in/members.hpp"
#include "actors/sign_in/passwords.hpp"
#include "persistence/result_codec.hpp"
#include "tests/sample_analysis.hpp"

namespace test {

using namespace actors;

std::string told(const Awaited& awaited) {
  if (!*awaited) return "no answer";
  const Outcome& outcome = (*awaited)->outcome;
  if (const auto* refusal = caf::get_if<Refusal>(&outcome)) return name_of(refusal->code);
  if (const auto* running = caf::get_if<Running>(&outcome)) return running->waiting ? "waiting" : "running";
  if (caf::holds_alternative<Created>(outcome)) return "created";
  if (caf::holds_alternative<Medium>(outcome)) return "medium";
  if (caf::holds_alternative<Welcome>(outcome)) return "welcome";
  return caf::holds_alternative<Finished>(outcome) ? "finished" : "page";
}

std::uint64_t created_project(const Awaited& awaited) {
  EXPECT_EQ(told(awaited), "created");
  return told(awaited) == "created" ? outcome<Created>(awaited).project : 0;
}

Located house(const std::string& street, const std::string& number, const std::string& town) {
  return {.kind = Located::Kind::house,
          .street = street,
          .house_number = number,
          .postcode = "1010",
          .town = town,
          .country = "AT",
          .lon_deg = 16.25,
          .lat_deg = 48.5};
}

ActorsTest::ActorsTest() : store(*persistence::Store::open(folder_.file("data"))) {
  config_.set("scheduler.policy", caf::atom("testing"));
  config_.add_message_types<caf::id_block::roof>();
  for (const char* number : {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"})
    script.addresses["Gasse " + std::string(number)] = house("Gasse", number);
}

ActorsTest::~ActorsTest() { stop(); }

void ActorsTest::start() {
  if (system_) return;
  system_ = std::make_unique<caf::actor_system>(config_);
  const Clock clock = [this] { return now_ms; };
  const auto waiting = recover(*store, clock, meters->log());
  ASSERT_TRUE(waiting);
  journal_ = system_->spawn<JournalActor>(*store, meters);
  disk_ = system_->spawn<ScriptedDisk>(script, journal_);
  slots_ = system_->spawn<SlotSchedulerActor>(options, clock, meters);
  analysts_ = system_->spawn<ScriptedAnalysts>(script);
  geocoder_ = system_->spawn<ScriptedGeocoder>(script);
  const Draw draw = [this](const RenderOrder& order, const geo::RoofAnalysis& analysis,
                           const geo::PropertyScene&) { return script.draw(order, analysis); };
  const RenderersActor::Spawn renderer = [this, draw] {
    return system_->spawn<RendererActor>(
        *store, draw, [] {}, meters);
  };
  renderers_ = system_->spawn<RenderersActor>(options, renderer, meters);
  const RenderResult render = [this](const ResultView& result) {
    if (renderer_throws) throw std::runtime_error("cannot be drawn");
    rendered.push_back(result.project.name);
    return result.project.name + ": " + std::to_string(result.analysis.surfaces.size());
  };
  for (std::size_t shard = 0; shard < options.project_shards; ++shard)
    projects_.push_back(system_->spawn<ProjectsActor>(
        *store, options, clock, render,
        ProjectsPeers{disk_,
                      slots_,
                      analysts_,
                      {geocoder_},
                      renderers_,
                      [this](const geo::AddressText& address) { return script.look_up(address.sent); }},
        shard, meters));
  for (std::size_t shard = 0; shard < options.account_shards; ++shard)
    accounts_.push_back(system_->spawn<AccountsActor>(*store, options, clock, disk_, projects_, meters));
  const auto passwords = system_->spawn<PasswordsActor>(
      std::make_shared<const PasswordHasher>(PasswordCost{8'192, 1}), [] {}, std::nullopt, meters);
  const auto mailer = system_->spawn<MailerActor>(
      *store, sign_in.sender, [this](const Mail& mail) { return script.post(mail); }, clock, disk_, meters);
  members_ =
      system_->spawn<MembersActor>(*store, options, sign_in, clock,
                                   MembersPeers{disk_, {passwords}, mailer, accounts_, projects_}, meters);
  doors_ = {caf::actor_cast<caf::actor>(passwords), caf::actor_cast<caf::actor>(mailer)};
  caf::anon_send(mailer, next_atom::value);
  caf::anon_send(members_, sweep_atom::value);
  guard_ = system_->spawn<AddressGuardActor>(*store, options, clock, disk_, accounts_, std::size_t{0});
  caf::anon_send(guard_, sweep_atom::value);
  for (const Projects& shard : projects_) caf::anon_send(shard, sweep_atom::value);
  for (const RunRef& ref : *waiting) caf::anon_send(slots_, ref, projects_of(ref.account));
  run();
}

void ActorsTest::stop() {
  if (!system_) return;
  const auto kill = [](auto& actor) {
    caf::anon_send_exit(actor, caf::exit_reason::kill);
    actor = nullptr;
  };
  kill(guard_);
  kill(members_);
  for (auto& actor : doors_) kill(actor);
  for (auto& actor : accounts_) kill(actor);
  for (auto& actor : projects_) kill(actor);
  accounts_.clear();
  projects_.clear();
  kill(renderers_);
  kill(geocoder_);
  kill(analysts_);
  kill(slots_);
  kill(disk_);
  kill(journal_);
  script.held.clear();
  script.computing.clear();
  run();
  system_.reset();
}

void ActorsTest::restart() {
  stop();
  start();
}

caf::scheduler::test_coordinator& ActorsTest::scheduler() {
  return dynamic_cast<caf::scheduler::test_coordinator&>(system_->scheduler());
}

void ActorsTest::run() {
  while (scheduler().try_run_once()) {
  }
}

void ActorsTest::run_shuffled(unsigned seed) {
  std::mt19937 random(seed);
  auto& jobs = scheduler().jobs;
  while (!jobs.empty()) {
    std::swap(jobs.front(), jobs[random() % jobs.size()]);
    scheduler().run_once();
  }
}

void ActorsTest::advance(std::int64_t ms) {
  start();
  run();
  now_ms += ms;
  scheduler().advance_time(std::chrono::milliseconds(ms));
  run();
}

std::string ActorsTest::account(const std::string& plan) {
  start();
  AdminReply reply;
  const auto ask = [&](const auto& shard, const auto& order) {
    system_->spawn([&reply, shard, order](caf::event_based_actor* self) {
      self->request(shard, caf::infinite, order).then([&reply](const AdminReply& told) { reply = told; });
    });
    run();
    EXPECT_TRUE(reply.ok) << reply.text;
    return reply.text;
  };
  const std::uint64_t id =
      std::stoull(ask(members_, AddAccount{"a" + std::to_string(++accounts_made_) + "@b.example", plan}));
  return ask(accounts_[shard_of(id, accounts_.size())], AddKey{id, "key"});
}

Accounts ActorsTest::accounts_of(const std::string& key) const {
  return accounts_[shard_of(account_of_key(key).value_or(0), accounts_.size())];
}

const Projects& ActorsTest::projects_of(std::uint64_t account) const {
  return projects_[shard_of(account, projects_.size())];
}

Awaited ActorsTest::send(const std::string& key, Command command, LimitClass limit) {
  start();
  auto awaited = std::make_shared<std::optional<Answer>>();
  system_->spawn(
      [awaited, shard = accounts_of(key),
       call = Call{key, "192.0.2.1", limit, std::move(command), {}}](caf::event_based_actor* self) {
        self->request(shard, caf::infinite, call).then([awaited](const Answer& answer) {
          EXPECT_FALSE(*awaited) << "two answers to one request";
          *awaited = answer;
        });
      });
  return awaited;
}

Awaited ActorsTest::ask(const std::string& key, Command command, LimitClass limit) {
  auto awaited = send(key, std::move(command), limit);
  run();
  return awaited;
}

Awaited ActorsTest::visit(const std::string& from) { return ask_from(from, "", Visit{}); }

Awaited ActorsTest::ask_from(const std::string& from, const std::string& key, Command command) {
  start();
  auto awaited = std::make_shared<std::optional<Answer>>();
  system_->spawn([awaited, guard = guard_, from, key, command](caf::event_based_actor* self) {
    self->request(guard, caf::infinite, Call{key, from, LimitClass::status, command, {}})
        .then([awaited](const Answer& answer) { *awaited = answer; });
  });
  run();
  return awaited;
}

/// The reply's text, with "refused: " in front of a refusal.
template <class Actor, class Order>
std::shared_ptr<std::string> ActorsTest::order(const Actor& actor, const Order& order) {
  auto told = std::make_shared<std::string>("no answer");
  system_->spawn([told, actor, order](caf::event_based_actor* self) {
    self->request(actor, caf::infinite, order).then([told](const AdminReply& reply) {
      *told = (reply.ok ? "" : "refused: ") + reply.text;
    });
  });
  run();
  return told;
}

std::string ActorsTest::quarantine(std::uint64_t account, std::uint64_t project) {
  start();
  return *order(projects_of(account), QuarantineResult{account, project});
}

std::string ActorsTest::discard(std::uint64_t account, std::uint64_t project) {
  start();
  return *order(projects_of(account), DiscardAside{account, project});
}

std::string ActorsTest::revoke(std::uint64_t account, const std::string& key_id) {
  return *send_revoke(account, key_id);
}

std::shared_ptr<std::string> ActorsTest::send_revoke(std::uint64_t account, const std::string& key_id) {
  start();
  return order(accounts_[shard_of(account, accounts_.size())], RevokeKey{account, key_id});
}

std::string ActorsTest::add_account(const std::string& email) {
  start();
  return *order(members_, AddAccount{email, "regular"});
}

void ActorsTest::spawn_asker(std::function<void(caf::event_based_actor*)> ask) {
  system_->spawn([ask = std::move(ask)](caf::event_based_actor* self) { ask(self); });
}

std::shared_ptr<std::optional<MemberReply>> ActorsTest::send_deed(MemberOrder order) {
  start();
  auto reply = std::make_shared<std::optional<MemberReply>>();
  spawn_asker([reply, shard = members_, order = std::move(order)](caf::event_based_actor* self) {
    self->request(shard, caf::infinite, order).then([reply](const MemberReply& told) { *reply = told; });
  });
  return reply;
}

std::optional<MemberReply> ActorsTest::deed(MemberOrder order) {
  const auto reply = send_deed(std::move(order));
  run();
  return *reply;
}

void ActorsTest::disk_speaks() {
  script.disk_silent = script.standby_silent = false;
  caf::anon_send(disk_, flush_atom::value);
  run();
}

CreateProject ActorsTest::creation(const std::string& address) { return {"Haus", address, 4500, "H0"}; }

Journal ActorsTest::spawn_journal() { return system_->spawn<JournalActor>(*store, meters); }

void ActorsTest::ask_journal(const Journal& journal, persistence::Writes writes,
                             std::function<void(bool)> then) {
  system_->spawn([journal, writes = std::move(writes), then = std::move(then)](caf::event_based_actor* self) {
    self->request(journal, caf::infinite, writes).then(then);
  });
}

std::uint64_t ActorsTest::run_of(std::uint64_t project) const {
  for (const auto& [run, work] : script.computing)
    if (work.job.run.project == project) return run;
  return 0;
}

void ActorsTest::step(std::uint64_t run_id, const std::string& name, int done, int total) {
  const auto& work = script.computing.at(run_id);
  caf::anon_send(work.owner, StepDone{work.job.run, name, done, total});
  run();
}

void ActorsTest::finish(std::uint64_t run_id) { finish(run_id, sample_analysis(), sample_scene_bytes()); }

void ActorsTest::finish(std::uint64_t run_id, const geo::RoofAnalysis& analysis, const std::string& scene) {
  const auto& work = script.computing.at(run_id);
  caf::anon_send(work.owner,
                 RunOutcome{.run = work.job.run,
                            .finished = true,
                            .result = persistence::encode_result(analysis).value(),
                            .scene = scene,
                            .design_kwp = geo::peak_power_kwp(analysis, analysis.totals.design_modules),
                            .design_kwh = analysis.totals.design_yield_kwh.value_or(0)});
  end_thread(run_id);
}

std::optional<AdminReply> ActorsTest::save(std::uint64_t account, std::uint64_t project) {
  start();
  const auto reply = std::make_shared<std::optional<AdminReply>>();
  system_->spawn([reply, shard = projects_of(account), account, project](caf::event_based_actor* self) {
    self->request(shard, caf::infinite, SaveProject{account, project}).then([reply](const AdminReply& told) {
      *reply = told;
    });
  });
  run();
  return *reply;
}

void ActorsTest::fail(std::uint64_t run_id, Code code, const std::string& text) {
  const auto& work = script.computing.at(run_id);
  caf::anon_send(work.owner, RunOutcome{.run = work.job.run, .code = code, .text = text});
  end_thread(run_id);
}

void ActorsTest::end_thread(std::uint64_t run_id) {
  const auto work = script.computing.extract(run_id).mapped();
  caf::anon_send(work.owner, ended_atom::value, work.job.run, std::int64_t{5000});
  run();
}

std::size_t ActorsTest::rows(persistence::Table table) const {
  std::size_t count = 0;
  EXPECT_TRUE(store->scan(table, {}, persistence::Store::Order::ascending, {},
                          [&count](std::string_view, std::string_view) { return ++count, true; }));
  return count;
}

}  // namespace test
