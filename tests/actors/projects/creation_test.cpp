// From an address to a project: one per account and house, whatever else happens at the same time.
#include <limits>

#include "tests/actors/fixture.hpp"

namespace {

using namespace actors;
using persistence::Table;
using test::told;

struct Creation : test::ActorsTest {
  Creation() {
    // Three spellings of one house that normalising their texts does not make equal.
    for (const char* spelling : {"Hauptplatz 1", "1010 Wien, Hauptplatz 1", "Wien Hauptplatz 1 Stiege 2"})
      script.addresses[spelling] = test::house("Hauptplatz", "1");
  }
  /// How many of the answers say this.
  static int count(const std::vector<test::Awaited>& answers, const std::string& word) {
    return static_cast<int>(
        std::count_if(answers.begin(), answers.end(), [&](const auto& a) { return told(a) == word; }));
  }
  void expect_nothing_stored() const {
    EXPECT_EQ(rows(Table::projects), 0U);
    EXPECT_EQ(rows(Table::addresses), 0U);
    EXPECT_EQ(rows(Table::runs), 0U);
    EXPECT_EQ(rows(Table::line), 0U);
  }
};

TEST_F(Creation, StoresTheProjectAndStartsItsRun) {
  const std::string key = account();
  const auto answer = ask(key, CreateProject{"Mein Haus", "Gasse 1", 3200, "L1"}, LimitClass::create);
  ASSERT_EQ(told(answer), "created");
  const auto& created = test::outcome<Created>(answer);
  EXPECT_EQ(created.name, "Mein Haus");
  EXPECT_EQ(created.address, "Gasse 1");
  EXPECT_EQ(created.lon_deg, 16.25);
  EXPECT_EQ(created.lat_deg, 48.5);
  EXPECT_GT(created.retry_s, 0);
  EXPECT_EQ((*answer)->ticket.remaining, 19U);
  ASSERT_NE(run_of(created.project), 0U);
  EXPECT_EQ(script.computing.begin()->second.job.consumption_kwh, 3200);
  EXPECT_EQ(told(query(key, created.project)), "running");
}

TEST_F(Creation, OfAnAddressThatExistsIsRefusedAndNamesTheProject) {
  const std::string key = account();
  const auto first = test::created_project(create(key, "Gasse 1"));
  const auto again = create(key, "Gasse 1");
  ASSERT_EQ(told(again), "projekt_besteht_bereits");
  EXPECT_EQ(test::outcome<Refusal>(again).project, first);
  EXPECT_EQ(rows(Table::projects), 1U);
}

TEST_F(Creation, OfTheSameHouseIsRefusedHoweverItIsSpelled) {
  const std::string key = account();
  script.addresses["  GASSE,  1 "] = test::house("Gasse", "1");
  script.addresses["Weg in Wien: Gasse Nr. eins"] = test::house("GASSE", "1");
  create(key, "Gasse 1");
  EXPECT_EQ(told(create(key, "  GASSE,  1 ")), "projekt_besteht_bereits");
  EXPECT_EQ(script.located, 1);  // the text alone was enough
  EXPECT_EQ(told(create(key, "Weg in Wien: Gasse Nr. eins")), "projekt_besteht_bereits");
  EXPECT_EQ(rows(Table::projects), 1U);
}

TEST_F(Creation, AsksNoGeocoderForWhatIsKnownAtOnce) {
  const std::string key = account();
  script.known_at_once["Gasse 1"] = test::house("Gasse", "1");
  script.known_at_once["Gasse"] = {.kind = Located::Kind::ambiguous, .candidates = {"Gasse 1", "Gasse 2"}};
  EXPECT_EQ(told(create(key, "Gasse 1")), "created");
  EXPECT_EQ(told(create(key, "Gasse")), "adresse_nicht_eindeutig");
  EXPECT_EQ(script.located, 0);
  EXPECT_EQ(told(create(key, "Gasse 2")), "created");
  EXPECT_EQ(script.located, 1);
}

TEST_F(Creation, AsksTheGeocoderWhenTheLookUpFails) {
  const std::string key = account();
  script.look_up_throws = true;
  EXPECT_EQ(told(create(key, "Gasse 1")), "created");
  EXPECT_EQ(script.located, 1);
}

TEST_F(Creation, OfWhatIsKnownAtOnceTellsAllWhoAskedAtTheSameTimeTheSame) {
  const std::string key = account();
  std::vector<test::Awaited> answers;
  for (int i = 0; i < 50; ++i) {
    const std::string text = "Gasse 1, Stiege " + std::to_string(i);
    script.known_at_once[text] = test::house("Gasse", "1");
    script.known_at_once["Weg"] = {.kind = Located::Kind::unknown};
    answers.push_back(send_create(key, text));
    answers.push_back(send_create(key, "Weg"));
  }
  run();
  EXPECT_EQ(count(answers, "created"), 1);
  EXPECT_EQ(count(answers, "projekt_besteht_bereits"), 49);
  EXPECT_EQ(count(answers, "adresse_nicht_gefunden"), 50);
  EXPECT_EQ(rows(Table::projects), 1U);
}

TEST_F(Creation, OfANeighbouringHouseIsAProjectOfItsOwn) {
  const std::string key = account();
  script.addresses["Gasse 1a"] = test::house("Gasse", "1a");
  script.addresses["Gasse 1 Graz"] = test::house("Gasse", "1", "Graz");
  for (const char* address : {"Gasse 1", "Gasse 1a", "Gasse 1 Graz", "Gasse 11"})
    EXPECT_EQ(told(create(key, address)), "created") << address;
}

TEST_F(Creation, LeavesOtherAccountsTheirOwnProjectOfTheSameHouse) {
  const std::string one = account(), other = account();
  EXPECT_EQ(told(create(one, "Gasse 1")), "created");
  EXPECT_EQ(told(create(other, "Gasse 1")), "created");
}

TEST_F(Creation, OfTheSameAddressTwiceAtOnceMakesOneProjectAndOneRefusal) {
  script.addresses["gasse 1"] = script.addresses["Gasse 1"];
  for (unsigned seed = 0; seed < 20; ++seed) {
    const std::string key = account();
    const std::vector answers = {send_create(key, "Gasse 1"), send_create(key, "gasse 1")};
    run_shuffled(seed);
    EXPECT_EQ(count(answers, "created"), 1) << seed;
    EXPECT_EQ(count(answers, "projekt_besteht_bereits"), 1) << seed;
  }
  EXPECT_EQ(rows(Table::projects), 20U);
}

TEST_F(Creation, OfTheSameHouseInThreeSpellingsAtOnceMakesOneProjectAndTwoRefusals) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const std::string key = account();
    const std::vector answers = {
        send_create(key, "Hauptplatz 1"), send_create(key, "1010 Wien, Hauptplatz 1"),
        send_create(key, "Wien Hauptplatz 1 Stiege 2"), send_create(key, "Hauptplatz 1")};
    run_shuffled(seed);
    EXPECT_EQ(count(answers, "created"), 1) << seed;
    EXPECT_EQ(count(answers, "projekt_besteht_bereits"), 3) << seed;
  }
  EXPECT_EQ(rows(Table::projects), 20U);
}

TEST_F(Creation, GoesToTheNextWhoWaitsWhenTheFirstFails) {
  const std::string key = account();
  script.geocoder_holds = true;
  script.addresses.erase("Gasse 1");
  const std::vector answers = {send_create(key, "Gasse 1"), send_create(key, "Gasse 1"),
                               send_create(key, "Gasse 1")};
  run();
  ASSERT_EQ(script.held.size(), 1U);  // the others wait for the first's outcome
  answer_held();                      // unknown: the first fails
  run();
  EXPECT_EQ(count(answers, "adresse_nicht_gefunden"), 1);
  EXPECT_EQ(count(answers, "no answer"), 2);
  script.addresses["Gasse 1"] = test::house("Gasse", "1");
  script.geocoder_holds = false;
  answer_held();
  run();
  EXPECT_EQ(count(answers, "created"), 1);
  EXPECT_EQ(count(answers, "projekt_besteht_bereits"), 1);
}

TEST_F(Creation, AnswersEveryoneWhoWaitsWhenAllFail) {
  const std::string key = account();
  std::vector<test::Awaited> answers;
  for (int i = 0; i < 15; ++i) answers.push_back(send_create(key, "Nirgendwo 7"));
  run();
  EXPECT_EQ(count(answers, "adresse_nicht_gefunden"), 15);
  expect_nothing_stored();
}

TEST_F(Creation, OfASecondSpellingSucceedsWhenTheFirstCannotBeStored) {
  const std::string key = account();
  script.geocoder_holds = true;
  const std::vector answers = {send_create(key, "Hauptplatz 1"), send_create(key, "1010 Wien, Hauptplatz 1")};
  run();
  script.geocoder_holds = false;
  script.disk_refuses = true;
  answer_held();
  while (count(answers, "interner_fehler") == 0) scheduler().run_once();
  script.disk_refuses = false;
  run();
  EXPECT_EQ(count(answers, "interner_fehler"), 1);
  EXPECT_EQ(count(answers, "created"), 1);
  EXPECT_EQ(rows(Table::projects), 1U);
}

TEST_F(Creation, OfAnUnknownAddressStoresNothing) {
  EXPECT_EQ(told(create(account(), "Nirgendwo 7")), "adresse_nicht_gefunden");
  expect_nothing_stored();
}

TEST_F(Creation, OfAnAmbiguousAddressNamesTheCandidatesAndStoresNothing) {
  script.addresses["Hauptstraße 1"] = {.kind = Located::Kind::ambiguous, .candidates = {"A", "B"}};
  const auto answer = create(account(), "Hauptstraße 1");
  ASSERT_EQ(told(answer), "adresse_nicht_eindeutig");
  EXPECT_EQ(test::outcome<Refusal>(answer).found, (std::vector<std::string>{"A", "B"}));
  expect_nothing_stored();
}

TEST_F(Creation, WithoutAGeocoderAsksToComeBackAndStoresNothing) {
  const std::string key = account();
  script.addresses["Fern 1"] = {.kind = Located::Kind::unreachable};
  script.addresses["Fern 2"] = {.kind = Located::Kind::overloaded};
  const auto unreachable = create(key, "Fern 1");
  EXPECT_EQ(told(unreachable), "dienst_nicht_erreichbar");
  EXPECT_GT(test::outcome<Refusal>(unreachable).retry_after_s, 0);
  const auto overloaded = create(key, "Fern 2");
  EXPECT_EQ(told(overloaded), "dienst_ueberlastet");
  EXPECT_GT(test::outcome<Refusal>(overloaded).retry_after_s, 0);
  expect_nothing_stored();
}

TEST_F(Creation, IsAnsweredInTimeWhenTheGeocoderIsSilent) {
  script.geocoder_silent = true;
  const auto answer = create(account(), "Gasse 1");
  EXPECT_EQ(told(answer), "no answer");
  advance(10'000);
  EXPECT_EQ(told(answer), "dienst_ueberlastet");
  expect_nothing_stored();
}

TEST_F(Creation, IsRefusedWhenTheDiskRefusesAndStoresNothing) {
  const std::string key = account();
  script.disk_refuses = true;
  EXPECT_EQ(told(create(key, "Gasse 1")), "interner_fehler");
  EXPECT_EQ(computing(), 0U);
  script.disk_refuses = false;
  expect_nothing_stored();
  EXPECT_EQ(told(create(key, "Gasse 1")), "created");
}

TEST_F(Creation, IsAnsweredInTimeWhenTheDiskIsSilent) {
  const std::string key = account();
  script.disk_silent = true;
  const auto answer = create(key, "Gasse 1");
  EXPECT_EQ(told(answer), "no answer");
  advance(10'000);
  ASSERT_EQ(told(answer), "dienst_ueberlastet");
  EXPECT_GT(test::outcome<Refusal>(answer).retry_after_s, 0);
  EXPECT_FALSE(test::outcome<Refusal>(answer).text.empty()) << "that it may come to be stored";
}

TEST_F(Creation, ThatTheDiskStoresLateIsOneProjectHoweverOftenItIsSentAgain) {
  script.addresses["1010 Wien, Gasse 1"] = script.addresses["Gasse 1"];
  for (const char* plan : {"regular", "test"}) {
    SCOPED_TRACE(plan);
    const std::string key = account(plan);
    const auto before = rows(Table::projects);
    script.disk_silent = true;
    const auto first = send_create(key, "Gasse 1"), beside = send_create(key, "Gasse 1");
    advance(10'000);
    EXPECT_EQ(told(first), "dienst_ueberlastet");
    EXPECT_EQ(told(beside), "dienst_ueberlastet");
    EXPECT_EQ(told(create(key, "Gasse 1")), "dienst_ueberlastet") << "and at once";
    EXPECT_EQ(told(create(key, "1010 Wien, Gasse 1")), "dienst_ueberlastet") << "the same house";
    disk_speaks();
    EXPECT_EQ(rows(Table::projects), before + 1);
    EXPECT_EQ(told(create(key, "Gasse 1")), "projekt_besteht_bereits");
    EXPECT_EQ(told(create(key, "1010 Wien, Gasse 1")),
              plan == std::string("test") ? "testkontingent_erschoepft" : "projekt_besteht_bereits");
    EXPECT_EQ(told(single_call(key, "Gasse 1")), "running") << "its run stands in line all the same";
    EXPECT_EQ(rows(Table::projects), before + 1);
  }
}

// One of a pair can read what its standby does not have yet, and would lose with it.
TEST_F(Creation, ThatTheStandbyMayNotHaveIsToldToNobody) {
  const std::string key = account();
  script.addresses["1010 Wien, Gasse 1"] = script.addresses["Gasse 1"];
  script.standby_silent = true;
  const auto first = send_create(key, "Gasse 1");
  run();
  ASSERT_EQ(rows(Table::projects), 1U) << "it can be read";
  const auto again = send_create(key, "Gasse 1"), same_house = send_create(key, "1010 Wien, Gasse 1");
  const auto single = single_call(key, "Gasse 1");
  run();
  for (const auto& answer : {first, again, same_house, single}) EXPECT_EQ(told(answer), "no answer");
  disk_speaks();
  EXPECT_EQ(told(first), "created");
  EXPECT_EQ(told(again), "projekt_besteht_bereits");
  EXPECT_EQ(told(same_house), "projekt_besteht_bereits");
  EXPECT_EQ(told(single), "waiting") << "its run has just been made";
}

TEST_F(Creation, OfATestAccountThatTheDiskStoresLateIsItsOnlyOne) {
  const std::string key = account("test");
  script.disk_silent = true;
  create(key, "Gasse 1");
  advance(10'000);
  EXPECT_EQ(told(create(key, "Gasse 2")), "dienst_ueberlastet");
  disk_speaks();
  EXPECT_EQ(told(create(key, "Gasse 2")), "testkontingent_erschoepft");
  EXPECT_EQ(rows(Table::projects), 1U);
}

TEST_F(Creation, ThatTheDiskRefusesLateLeavesTheAddressFree) {
  const std::string key = account();
  script.disk_silent = true;
  create(key, "Gasse 1");
  advance(10'000);
  script.disk_refuses = true;
  disk_speaks();
  script.disk_refuses = false;
  EXPECT_EQ(rows(Table::projects), 0U);
  EXPECT_EQ(told(create(key, "Gasse 1")), "created");
}

TEST_F(Creation, AtAHouseThatLiesNowhereIsRefused) {
  script.addresses["Gasse 1"].lon_deg = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(told(create(account(), "Gasse 1")), "adresse_nicht_gefunden");
  expect_nothing_stored();
}

TEST_F(Creation, IsRefusedByAFullLineAndStoresNothing) {
  options.waiting_max = 1;
  const std::string key = account();
  for (const char* address : {"Gasse 1", "Gasse 2", "Gasse 3"})
    ASSERT_EQ(told(create(key, address)), "created");
  const auto full = create(key, "Gasse 4");
  ASSERT_EQ(told(full), "dienst_ueberlastet");
  EXPECT_GT(test::outcome<Refusal>(full).retry_after_s, 0);
  EXPECT_EQ(rows(Table::projects), 3U);
  finish(script.started[0]);
  EXPECT_EQ(told(create(key, "Gasse 4")), "created");
}

TEST_F(Creation, FillsALongLineToItsLastPlaceAndNoFurther) {
  options.waiting_max = 300;
  const std::string key = account();
  int stored = 0;
  for (int i = 1; i <= 320; ++i) {
    const std::string address = "Lange Gasse " + std::to_string(i);
    script.addresses[address] = test::house("Lange Gasse", std::to_string(i));
    if (i == 301) advance_hours(1);  // the account's limit begins anew
    stored += told(create(key, address)) == "created";
  }
  EXPECT_EQ(stored, 302) << "two of them compute";
}

TEST_F(Creation, SaysThatAHouseExistsThoughTheLineIsFull) {
  options.waiting_max = 1;
  const std::string key = account();
  create(key, "Hauptplatz 1");
  create(key, "Gasse 2");
  create(key, "Gasse 3");
  EXPECT_EQ(told(create(key, "Gasse 3")), "projekt_besteht_bereits");
  EXPECT_EQ(told(create(key, "1010 Wien, Hauptplatz 1")), "projekt_besteht_bereits");
  EXPECT_EQ(told(single_call(key, "1010 Wien, Hauptplatz 1")), "running");
}

TEST_F(Creation, ByATestAccountIsAllowedOnce) {
  const std::string key = account("test");
  EXPECT_EQ(told(create(key, "Gasse 1")), "created");
  EXPECT_EQ(told(create(key, "Gasse 2")), "testkontingent_erschoepft");
  EXPECT_EQ(told(create(key, "Gasse 1")),
            "projekt_besteht_bereits");  // the known text comes before the quota
  EXPECT_EQ(told(single_call(key, "Gasse 2")), "testkontingent_erschoepft");
  EXPECT_EQ(rows(Table::projects), 1U);
}

TEST_F(Creation, ByATestAccountIsAllowedOnceAlsoAfterARestart) {
  const std::string key = account("test");
  create(key, "Gasse 1");
  restart();
  EXPECT_EQ(told(create(key, "Gasse 2")), "testkontingent_erschoepft");
}

TEST_F(Creation, ByATestAccountOfTwoHousesAtOnceMakesOneProject) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const std::string key = account("test");
    const std::vector answers = {send_create(key, "Gasse 1"), send_create(key, "Gasse 2"),
                                 send_create(key, "Gasse 3")};
    run_shuffled(seed);
    EXPECT_EQ(count(answers, "created"), 1) << seed;
    EXPECT_EQ(count(answers, "testkontingent_erschoepft"), 2) << seed;
  }
  EXPECT_EQ(rows(Table::projects), 20U);
}

TEST_F(Creation, ByATestAccountIsNotSpentByAnotherThatFails) {
  const std::string key = account("test");
  const std::vector answers = {send_create(key, "Nirgendwo 7"), send_create(key, "Gasse 1")};
  run();
  EXPECT_EQ(told(answers[0]), "adresse_nicht_gefunden");
  EXPECT_EQ(told(answers[1]), "created");
}

TEST_F(Creation, OfOneAddressTwiceByATestAccountIsRefusedAsExisting) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const std::string key = account("test");
    const std::vector answers = {send_create(key, "Gasse 1"), send_create(key, "Gasse 1")};
    run_shuffled(seed);
    EXPECT_EQ(count(answers, "created"), 1) << seed;
    EXPECT_EQ(count(answers, "projekt_besteht_bereits"), 1) << seed;
  }
}

TEST_F(Creation, TakesTheResolvedAddressAsNameWhenNoneIsSent) {
  const auto answer = ask(account(), SingleCall{{"", "Gasse 1", 4500, "H0"}});
  ASSERT_EQ(told(answer), "created");
  EXPECT_EQ(test::outcome<Created>(answer).name, "Gasse 1, 1010 Wien");
}

TEST_F(Creation, ByASingleCallIsRepeatedWithoutAnythingNew) {
  const std::string key = account();
  const auto project = test::created_project(ask(key, SingleCall{{"Erster", "Gasse 1", 4500, "H0"}}));
  const auto run_id = run_of(project);
  const auto again = ask(key, SingleCall{{"Zweiter", "Gasse 1", 99, "G3"}});
  ASSERT_EQ(told(again), "running");
  EXPECT_EQ(test::outcome<Running>(again).project, project);
  finish(run_id);
  EXPECT_EQ(told(single_call(key, "Gasse 1")), "finished");
  EXPECT_EQ(script.started, std::vector{run_id});
  EXPECT_EQ(rows(Table::projects), 1U);
  post(key, project);  // the repeated call's values were ignored
  EXPECT_EQ(script.computing.at(run_of(project)).job.consumption_kwh, 4500);
  EXPECT_EQ(told(ask(key, ListProjects{})), "page");
  EXPECT_EQ(test::outcome<ProjectPage>(ask(key, ListProjects{})).projects.at(0).name, "Erster");
}

TEST_F(Creation, IsOnDiskBeforeItIsAnswered) {
  const auto answer = send_create(account(), "Gasse 1");
  while (!*answer) scheduler().run_once();
  restart();  // nothing of the actors' memory survives, and nothing that they would still have done
  EXPECT_EQ(rows(Table::projects), 1U);
  EXPECT_GT(test::created_project(answer), 0U);
}

}  // namespace
