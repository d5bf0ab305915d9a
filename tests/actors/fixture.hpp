// The service's actors in one thread under CAF's test scheduler, with a store of their own, a clock that
// stands still and scripted neighbours (scripted_actors.hpp). Tests send Calls and look at the Answers.
#pragma once
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/scheduler/test_coordinator.hpp>
#include <caf/send.hpp>

#include "actors/accounts/accounts.hpp"
#include "actors/projects/projects.hpp"
#include "actors/sign_in/options.hpp"
#include "persistence/store.hpp"
#include "tests/actors/scripted_actors.hpp"
#include "tests/temporary_folder.hpp"

namespace test {

/// An answer that may not have come yet.
using Awaited = std::shared_ptr<std::optional<actors::Answer>>;

/// The answer in a word: created, running, waiting, finished, page, the refusal's code, or "no answer".
std::string told(const Awaited& awaited);
template <class T>
const T& outcome(const Awaited& awaited) {
  return caf::get<T>((*awaited)->outcome);
}
std::uint64_t created_project(const Awaited& awaited);

actors::Located house(const std::string& street, const std::string& number, const std::string& town = "Wien");

class ActorsTest : public ::testing::Test {
  TemporaryFolder folder_;  // first: it must stand before the store and fall after it

 protected:
  ActorsTest();
  ~ActorsTest() override;

  // ---- the world; start() is called by the first request ------------------------------------------------
  actors::ActorOptions options;
  actors::SignInOptions sign_in{.web_url = "https://web.example",
                                .passkey_origin = "https://web.example",
                                .passkey_host = "web.example"};
  Script script;
  std::int64_t now_ms = 1'700'000'000'000;
  std::unique_ptr<persistence::Store> store;
  std::vector<std::string> rendered;  ///< the names of the projects whose result was rendered
  bool renderer_throws = false;
  actors::MetersPtr meters = actors::private_meters();

  void start();
  /// Ends every actor at once, as a kill does, and starts anew from the store.
  void restart();
  /// Runs until nothing is left to do.
  void run();
  /// The same, with the actors' turns in an order that the seed decides.
  void run_shuffled(unsigned seed);
  /// Moves both clocks.
  void advance(std::int64_t ms);
  void advance_hours(int hours) { advance(hours * std::int64_t{3'600'000}); }

  // ---- accounts ---------------------------------------------------------------------------------------
  /// The new account's key.
  std::string account(const std::string& plan = "regular");

  // ---- requests: `send` leaves the answer for later, `ask` runs until it has come ---------------------
  Awaited send(const std::string& key, actors::Command command,
               actors::LimitClass limit = actors::LimitClass::status);
  Awaited ask(const std::string& key, actors::Command command,
              actors::LimitClass limit = actors::LimitClass::status);
  /// A visit of a public page from a calling address, by way of the address guard; runs until it is answered.
  Awaited visit(const std::string& from);
  /// A request with a key from a calling address, by way of the address guard.
  Awaited ask_from(const std::string& from, const std::string& key, actors::Command command);
  static actors::CreateProject creation(const std::string& address);
  Awaited send_create(const std::string& key, const std::string& address) {
    return send(key, creation(address));
  }
  Awaited create(const std::string& key, const std::string& address) { return ask(key, creation(address)); }
  Awaited single_call(const std::string& key, const std::string& address) {
    return ask(key, actors::SingleCall{creation(address)});
  }
  Awaited query(const std::string& key, std::uint64_t project) {
    return ask(key, actors::QueryAnalysis{project});
  }
  Awaited post(const std::string& key, std::uint64_t project, double consumption_kwh = 0,
               const std::string& profile = {}) {
    return ask(key, actors::RestartAnalysis{project, consumption_kwh, profile});
  }

  /// Tells the geocoder to answer the questions that it holds; runs nothing yet.
  void answer_held() {
    caf::anon_send(geocoder_, std::string(Script::kAnswerHeld), std::int64_t{0}, std::uint64_t{0});
  }

  /// Ends the disk's silence: it takes, or refuses, what it was asked to write meanwhile.
  void disk_speaks();

  /// Saves a project as the web application does for its owner; nothing when no answer came.
  std::optional<actors::AdminReply> save(std::uint64_t account, std::uint64_t project);

  // ---- runs -------------------------------------------------------------------------------------------
  /// The project's run that computes now; 0 for none.
  std::uint64_t run_of(std::uint64_t project) const;
  std::size_t computing() const { return script.computing.size(); }
  void step(std::uint64_t run, const std::string& name, int done, int total);
  /// The computation says how it ended, and its thread ends.
  void finish(std::uint64_t run);
  void finish(std::uint64_t run, const geo::RoofAnalysis& analysis, const std::string& scene);
  void fail(std::uint64_t run, actors::Code code, const std::string& text = {});
  /// The thread ends without another word.
  void end_thread(std::uint64_t run);

  /// An operator's order: the reply's text, with "refused: " in front of a refusal.
  std::string quarantine(std::uint64_t account, std::uint64_t project);
  std::string discard(std::uint64_t account, std::uint64_t project);
  std::string revoke(std::uint64_t account, const std::string& key_id);
  std::string add_account(const std::string& email);
  /// The same with a reply that may come later.
  std::shared_ptr<std::string> send_revoke(std::uint64_t account, const std::string& key_id);

  // ---- people --------------------------------------------------------------------------------------------
  /// A deed of a person; nothing when no answer came.
  std::optional<actors::MemberReply> deed(actors::MemberOrder order);
  std::shared_ptr<std::optional<actors::MemberReply>> send_deed(actors::MemberOrder order);
  /// Any other question of the web application.
  template <class Reply, class Actor, class Order>
  std::optional<Reply> asked(const Actor& actor, Order order) {
    start();
    auto reply = std::make_shared<std::optional<Reply>>();
    spawn_asker([reply, actor, order = std::move(order)](caf::event_based_actor* self) {
      self->request(actor, caf::infinite, order).then([reply](const Reply& told) { *reply = told; });
    });
    run();
    return *reply;
  }
  const actors::Members& members() const { return members_; }
  const actors::Accounts& account_shard(std::uint64_t account) const {
    return accounts_[actors::shard_of(account, accounts_.size())];
  }
  const actors::Projects& projects_shard(std::uint64_t account) const { return projects_of(account); }
  void spawn_asker(std::function<void(caf::event_based_actor*)> ask);

  // ---- the store --------------------------------------------------------------------------------------
  std::size_t rows(persistence::Table table) const;

  caf::scheduler::test_coordinator& scheduler();
  const actors::SlotScheduler& slots() const { return slots_; }
  actors::Journal spawn_journal();
  void ask_journal(const actors::Journal& journal, persistence::Writes writes,
                   std::function<void(bool)> then);

 private:
  void stop();
  template <class Actor, class Order>
  std::shared_ptr<std::string> order(const Actor& actor, const Order& order);
  actors::Accounts accounts_of(const std::string& key) const;
  const actors::Projects& projects_of(std::uint64_t account) const;

  caf::actor_system_config config_;
  std::unique_ptr<caf::actor_system> system_;
  actors::Journal journal_;
  actors::Journal disk_;
  actors::SlotScheduler slots_;
  actors::Analysts analysts_;
  actors::Geocoder geocoder_;
  actors::Renderers renderers_;
  std::vector<actors::Projects> projects_;
  std::vector<actors::Accounts> accounts_;
  actors::Members members_;
  std::vector<caf::actor> doors_;  // passwords and mail
  actors::AddressGuard guard_;
  int accounts_made_ = 0;  // each has an e-mail address of its own
};

}  // namespace test
