// The actors as the program puts them together: real threads, detached workers, an orderly and a disorderly
// end. No test waits for a time to pass; each waits for what it asked for.
#include "actors/service.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <caf/actor_registry.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>
#include <cmath>
#include <condition_variable>
#include <future>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>

#include "actors/runs/thread_priority.hpp"
#include "persistence/keys.hpp"
#include "tests/sample_analysis.hpp"
#include "tests/temporary_folder.hpp"

namespace {

using namespace actors;
using persistence::Table;

constexpr auto kPatienceWithService = std::chrono::seconds(60);
std::atomic<bool> throwing_clock = false;

class ServiceTest : public ::testing::Test {
 protected:
  test::TemporaryFolder folder;
  std::unique_ptr<persistence::Store> store = *persistence::Store::open(folder.file("data"));
  ActorOptions options;
  ServiceParts parts{.compute = [](const AnalysisJob&, const geo::StepListener&,
                                   const geo::RunControl&) -> geo::Result<geo::PropertyAnalysis> {
                       return geo::PropertyAnalysis{test::sample_analysis(), test::sample_scene_bytes()};
                     },
                     .locate =
                         [](const std::string& address) {
                           return Located{.kind = Located::Kind::house,
                                          .street = address,
                                          .house_number = "1",
                                          .postcode = "1010",
                                          .town = "Wien",
                                          .country = "AT"};
                         },
                     .render = [](const ResultView& result) { return result.project.name; }};
  std::string key;

  void SetUp() override { start(); }
  void TearDown() override { stop(); }

  void start() {
    system_ = std::make_unique<caf::actor_system>(config_);
    service = std::make_unique<Service>(*Service::start(*system_, *store, options, parts));
    if (!key.empty()) return;
    const std::string id = administer(service->members(), AddAccount{"a@b.example", "regular"});
    key = administer(service->accounts_for(std::stoull(id)), AddKey{std::stoull(id), "n"});
  }
  void stop() {
    if (!service) return;
    service->stop();
    service.reset();
    system_.reset();
  }

  template <class Actor, class Order>
  std::string administer(const Actor& actor, const Order& order) {
    std::string text;
    caf::scoped_actor self(*system_);
    self->request(actor, kPatienceWithService, order)
        .receive([&](const AdminReply& reply) { text = reply.text; }, [](const caf::error&) { FAIL(); });
    return text;
  }
  Outcome ask(Command command) {
    Outcome outcome;
    caf::scoped_actor self(*system_);
    self->request(service->guard_for("192.0.2.1"), kPatienceWithService,
                  Call{key, "192.0.2.1", LimitClass::status, std::move(command), {}})
        .receive([&](const Answer& answer) { outcome = answer.outcome; }, [](const caf::error&) { FAIL(); });
    return outcome;
  }
  std::uint64_t create(const std::string& address) {
    const auto outcome = ask(CreateProject{"Haus", address, 4500, "H0"});
    const auto* created = caf::get_if<Created>(&outcome);
    EXPECT_TRUE(created);
    return created ? created->project : 0;
  }
  /// Asks until the run is over.
  Outcome over(std::uint64_t project) {
    for (;;) {
      auto outcome = ask(QueryAnalysis{project});
      if (!caf::holds_alternative<Running>(outcome)) return outcome;
      std::this_thread::yield();
    }
  }
  static std::string code(const Outcome& outcome) {
    const auto* refusal = caf::get_if<Refusal>(&outcome);
    return refusal ? name_of(refusal->code) : "";
  }

  std::unique_ptr<Service> service;
  caf::actor_system& system() { return *system_; }

 private:
  struct Config : caf::actor_system_config {
    Config() { add_message_types<caf::id_block::roof>(); }
  };
  Config config_;
  std::unique_ptr<caf::actor_system> system_;
};

struct UnlimitedService : ServiceTest {
  UnlimitedService() {  // over() asks as often as it can
    options.limits.status_per_hour = 0;
    options.limits.address_per_hour = 0;
    options.limits.address_per_day = 0;
  }
};

TEST_F(UnlimitedService, TurnsAnAddressIntoAResult) {
  EXPECT_TRUE(caf::holds_alternative<Finished>(over(create("Gasse"))));
}

TEST_F(UnlimitedService, NeverComputesMoreThanTwoAtOnce) {
  std::atomic<int> now{0}, most{0};
  parts.compute = [&](const AnalysisJob&, const geo::StepListener& on_step,
                      const geo::RunControl&) -> geo::Result<geo::PropertyAnalysis> {
    const int mine = ++now;
    for (int seen = most; mine > seen && !most.compare_exchange_weak(seen, mine);) {
    }
    for (int i = 1; i <= 8; ++i) on_step({"s", i, 8});
    --now;
    return geo::PropertyAnalysis{test::sample_analysis(), test::sample_scene_bytes()};
  };
  stop();
  start();
  std::vector<std::uint64_t> projects;
  for (int i = 0; i < 10; ++i)
    projects.push_back(create("Gasse " + std::string(static_cast<std::size_t>(i + 1), 'x')));
  for (const auto project : projects) {
    const auto end = over(project);
    EXPECT_TRUE(caf::holds_alternative<Finished>(end)) << code(end);
  }
  EXPECT_LE(most, 2);
  EXPECT_GE(most, 1);
}

TEST_F(UnlimitedService, ComputesAndDrawsInThreadsOfTheirOwnThatStepBehindTheOthers) {
  std::atomic<int> nice_while_computing = 0, nice_while_drawing = 0;
  std::thread::id computed_in, drew_in;
  const auto nice = [] { return ::getpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid))); };
  parts.compute = [&](const AnalysisJob&, const geo::StepListener&, const geo::RunControl&) {
    nice_while_computing = nice();
    computed_in = std::this_thread::get_id();
    return geo::PropertyAnalysis{test::sample_analysis(), test::sample_scene_bytes()};
  };
  parts.draw = [&](const RenderOrder&, const geo::RoofAnalysis&, const geo::PropertyScene&) {
    nice_while_drawing = nice();
    drew_in = std::this_thread::get_id();
    return rendered_text("picture");
  };
  stop();
  start();
  const int nice_of_the_program = ::getpriority(PRIO_PROCESS, 0);
  const auto project = create("Gasse");
  over(project);
  const auto picture = ask(QueryMedia{project, MediaKind::overview_image, 0, false, 800});
  ASSERT_TRUE(caf::holds_alternative<Medium>(picture)) << code(picture);
  EXPECT_EQ(*caf::get<Medium>(picture).body.text, "picture");
  EXPECT_NE(computed_in, std::this_thread::get_id());
  EXPECT_EQ(nice_while_computing, std::min(nice_of_the_program + kComputing, 19));
  EXPECT_NE(drew_in, std::this_thread::get_id());
  EXPECT_EQ(nice_while_drawing, std::min(nice_of_the_program + kDrawing, 19));
}

TEST_F(UnlimitedService, EndsWhilePicturesStandInLine) {
  std::promise<void> drawing, ended;
  std::atomic<int> drawn{0};
  parts.draw = [&](const RenderOrder&, const geo::RoofAnalysis&, const geo::PropertyScene&) {
    if (++drawn == 1) {
      drawing.set_value();
      ended.get_future().wait();
    }
    return rendered_text("picture");
  };
  stop();
  start();
  const auto project = create("Gasse");
  over(project);
  for (int width = 200; width < 220; ++width)
    caf::anon_send(service->guard_for("192.0.2.1"),
                   Call{key,
                        "192.0.2.1",
                        LimitClass::media,
                        QueryMedia{project, MediaKind::overview_image, 0, false, width},
                        {}});
  drawing.get_future().wait();
  service->stop();
  ended.set_value();
  stop();
  EXPECT_EQ(drawn, 1) << "what stood in line is not drawn any more";
}

TEST_F(UnlimitedService, SurvivesAComputationThatThrowsAndFreesItsSlot) {
  options.slots = 1;
  parts.compute = [](const AnalysisJob& job, const geo::StepListener&,
                     const geo::RunControl&) -> geo::Result<geo::PropertyAnalysis> {
    if (job.run.project == 1) throw std::runtime_error("geometry");
    return geo::PropertyAnalysis{test::sample_analysis(), test::sample_scene_bytes()};
  };
  stop();
  start();
  const auto first = create("Gasse");
  const auto second = create("Weg");
  EXPECT_EQ(code(over(first)), "analyse_fehlgeschlagen");
  EXPECT_TRUE(caf::holds_alternative<Finished>(over(second)));
}

TEST_F(UnlimitedService, EndsARunWithAFigureThatIsNoNumberAsFailed) {
  parts.compute = [](const AnalysisJob&, const geo::StepListener&,
                     const geo::RunControl&) -> geo::Result<geo::PropertyAnalysis> {
    geo::PropertyAnalysis whole{test::sample_analysis(), test::sample_scene_bytes()};
    whole.analysis.surfaces.at(0).tilt_deg = std::nan("");
    return whole;
  };
  stop();
  start();
  EXPECT_EQ(code(over(create("Gasse"))), "analyse_fehlgeschlagen");
}

TEST_F(UnlimitedService, TurnsEveryFailureOfTheComputationIntoTheContractsCode) {
  const std::vector<std::pair<geo::FailureKind, std::string>> kinds = {
      {geo::FailureKind::no_roof, "kein_dach"},
      {geo::FailureKind::data_unreachable, "dienst_nicht_erreichbar"},
      {geo::FailureKind::data_overloaded, "dienst_ueberlastet"},
      {geo::FailureKind::invalid_input, "analyse_fehlgeschlagen"},
      {geo::FailureKind::cancelled, "analyse_abgebrochen"},
      {geo::FailureKind::internal, "analyse_fehlgeschlagen"}};
  parts.compute = [&](const AnalysisJob& job, const geo::StepListener&,
                      const geo::RunControl&) -> geo::Result<geo::PropertyAnalysis> {
    return geo::fail(kinds[job.run.project - 1].first, "Satz mit /geheimem/pfad");
  };
  stop();
  start();
  for (const auto& [kind, expected] : kinds) {
    const auto outcome = over(create("Gasse " + std::string(static_cast<std::size_t>(kind) + 1, 'x')));
    ASSERT_EQ(code(outcome), expected);
    // Only what was written for clients reaches them.
    EXPECT_EQ(caf::get<Refusal>(outcome).text.empty(), kind != geo::FailureKind::no_roof);
  }
}

TEST_F(UnlimitedService, SurvivesAnAddressOnWhichTheGeocoderThrows) {
  parts.locate = [locate = parts.locate](const std::string& address) {
    if (address == "boom") throw std::runtime_error("register");
    return locate(address);
  };
  stop();
  start();
  EXPECT_EQ(code(ask(CreateProject{"n", "boom", 1, "H0"})), "dienst_nicht_erreichbar");
  EXPECT_NE(create("Gasse"), 0U);
}

TEST_F(UnlimitedService, StopsARunThatComputesTooLongWhenItIsDrained) {
  std::promise<void> begun;
  parts.compute = [&](const AnalysisJob&, const geo::StepListener&,
                      const geo::RunControl& control) -> geo::Result<geo::PropertyAnalysis> {
    begun.set_value();
    while (!control.cancelled()) std::this_thread::yield();
    return geo::fail(geo::FailureKind::cancelled, "");
  };
  stop();
  start();
  const auto project = create("Gasse");
  begun.get_future().wait();
  EXPECT_TRUE(service->drain(system(), std::chrono::milliseconds(1), kPatienceWithService));
  EXPECT_EQ(code(over(project)), "analyse_abgebrochen");
}

TEST_F(UnlimitedService, StartsNothingMoreOnceItIsDrained) {
  std::atomic<int> computed{0};
  parts.compute = [&](const AnalysisJob&, const geo::StepListener&,
                      const geo::RunControl&) -> geo::Result<geo::PropertyAnalysis> {
    ++computed;
    return geo::PropertyAnalysis{test::sample_analysis(), test::sample_scene_bytes()};
  };
  stop();
  start();
  EXPECT_TRUE(service->drain(system(), kPatienceWithService, kPatienceWithService));
  const auto project = create("Gasse");
  const auto state = ask(QueryAnalysis{project});
  ASSERT_TRUE(caf::holds_alternative<Running>(state));
  EXPECT_TRUE(caf::get<Running>(state).waiting);
  EXPECT_EQ(computed, 0);
  stop();
  start();
  EXPECT_TRUE(caf::holds_alternative<Finished>(over(project)));  // it stood in line all the time
}

TEST_F(UnlimitedService, SweepsExpiredResultsWithoutBeingTold) {
  const auto project = create("Gasse");
  EXPECT_TRUE(caf::holds_alternative<Finished>(over(project)));
  stop();
  parts.clock = [] { return system_now_ms() + 90'000'000; };
  start();
  const std::string result = persistence::project_key(1, project);
  while ((*store->get(Table::results, result)).has_value())
    std::this_thread::yield();  // until the test's time-out
  EXPECT_EQ(code(over(project)), "analyse_fehlt");
}

// ---- an actor that ends -------------------------------------------------------------------------------

/// A service that notes the deaths of its actors and goes on.
struct MortalService : ServiceTest {
  std::mutex mutex;
  std::condition_variable noted;
  std::vector<std::string> deaths;  // name: why

  MortalService() {
    parts.on_death = [this](const std::string& actor, const std::string& why) {
      const std::lock_guard guard(mutex);
      deaths.push_back(actor + ": " + why);
      noted.notify_all();
    };
  }
  std::string next_death() {
    std::unique_lock guard(mutex);
    if (!noted.wait_for(guard, kPatienceWithService, [this] { return !deaths.empty(); }))
      return "(nobody died)";
    return std::exchange(deaths, {}).front();
  }
};

TEST_F(MortalService, NoticesTheDeathOfEveryActorThatLivesAsLongAsItDoes) {
  std::multiset<std::string> names;
  const std::size_t all = service->everyone().size();
  for (std::size_t i = 0; i < all; ++i) {
    caf::anon_send_exit(service->everyone().at(i), caf::exit_reason::kill);
    const std::string death = next_death();
    names.insert(death.substr(0, death.find(':')));
    stop();
    start();
  }
  std::multiset<std::string> expected{"journal",  "renderers", "slot-scheduler",
                                      "analysts", "members",   "mailer"};
  for (std::uint32_t i = 0; i < parts.sign_in.hashers; ++i) expected.insert("passwords");
  for (std::uint32_t i = 0; i < options.geocoders; ++i) expected.insert("geocoder");
  for (std::uint32_t i = 0; i < options.project_shards; ++i) expected.insert("projects");
  for (std::uint32_t i = 0; i < options.account_shards; ++i) expected.insert("accounts");
  for (std::uint32_t i = 0; i < options.address_shards; ++i) expected.insert("address-guard");
  EXPECT_EQ(names, expected);
  // Only the renderers are missing from everyone(): the actor that hands them their orders restarts them.
  EXPECT_LE(system().registry().running(), all + options.renderers);
}

TEST_F(MortalService, SaysWhatAnActorHasDiedOf) {
  parts.locate = [](const std::string&) -> Located { throw 4711; };  // not a std::exception
  parts.clock = [] {
    return throwing_clock ? throw std::runtime_error("the clock is gone") : system_now_ms();
  };
  stop();
  start();
  caf::anon_send(service->accounts_for(1),
                 Call{key, "192.0.2.1", LimitClass::status, CreateProject{"Haus", "Gasse", 4500, "H0"}, {}});
  EXPECT_THAT(next_death(), testing::MatchesRegex("geocoder: .*no exception.*"));
  throwing_clock = true;
  caf::anon_send(service->guard_for("192.0.2.1"), Call{key, "192.0.2.1", LimitClass::status, Visit{}, {}});
  EXPECT_THAT(next_death(), testing::HasSubstr("the clock is gone"));
  stop();
  throwing_clock = false;
}

TEST_F(MortalService, MistakesItsOwnEndForNoDeath) {
  stop();
  EXPECT_THAT(deaths, testing::IsEmpty());
}

TEST_F(ServiceTest, EndsTheProgramWithALastLineWhenAnActorHasDied) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        caf::anon_send_exit(service->everyone().front(), caf::exit_reason::kill);
        for (;;) ::pause();
      },
      testing::ExitedWithCode(70), "roofd: the actor \"journal\" has ended unexpectedly \\(.*kill.*\\)");
}

}  // namespace
