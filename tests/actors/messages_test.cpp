// Messages are values that other nodes can be sent: each comes out of CAF's serialiser as it went in.
#include "actors/messages.hpp"
#include "tests/actors/testing_config.hpp"

#include <gtest/gtest.h>

#include <caf/actor_system.hpp>
#include <caf/binary_deserializer.hpp>
#include <caf/binary_serializer.hpp>
#include <caf/deep_to_string.hpp>

namespace {

using namespace actors;
using Bytes = std::vector<char>;

class Messages : public ::testing::Test {
 protected:
  /// What arrives has the bytes and the text of what was sent.
  template <class T>
  void expect_to_arrive(T sent) {
    const Bytes bytes = bytes_of(sent);
    EXPECT_GT(bytes.size(), 0U);
    T arrived{};
    caf::binary_deserializer source(system_, bytes);
    ASSERT_FALSE(source(arrived));
    EXPECT_EQ(source.remaining(), 0U);
    EXPECT_EQ(bytes_of(arrived), bytes);
    EXPECT_EQ(caf::deep_to_string(arrived), caf::deep_to_string(sent));
    expect_to_be_refused_cut_short(bytes, T{});
  }

 private:
  template <class T>
  Bytes bytes_of(T& value) {
    Bytes bytes;
    caf::binary_serializer sink(system_, bytes);
    EXPECT_FALSE(sink(value));
    return bytes;
  }
  template <class T>
  void expect_to_be_refused_cut_short(const Bytes& bytes, T value) {
    caf::binary_deserializer source(system_, bytes.data(), bytes.size() - 1);
    EXPECT_TRUE(source(value));
  }

  test::TestingConfig config_;
  caf::actor_system system_{config_};
};

const Refusal kRefusal{.code = Code::adresse_nicht_eindeutig,
                       .text = "Gasse oder Gässchen?",
                       .found = {"Gasse 1", "Gässchen 1"},
                       .existing = {1, 2, 3},
                       .project = 7,
                       .retry_after_s = 60};
const CreateProject kCreate{"Haus", "Gasse 1", 4500.5, "H0"};
const Ticket kTicket{42, true, 20, 19, 3600, {{500, 499, 3600}, {5000, 4999, 86400}}};
const RunRef kRun{1, 2, 3};

TEST_F(Messages, OfEveryCommandArrive) {
  const std::string key("key\0with nul", 12);
  expect_to_arrive(Call{key, "192.0.2.1", LimitClass::create, kCreate, {}});
  expect_to_arrive(Call{key, "192.0.2.1", LimitClass::analyse, SingleCall{kCreate}, {}});
  expect_to_arrive(Call{key, "192.0.2.1", LimitClass::status, QueryAnalysis{~std::uint64_t{0}}, {}});
  expect_to_arrive(Call{key, "192.0.2.1", LimitClass::create, RestartAnalysis{7, 0.1, "G3"}, {}});
  expect_to_arrive(Call{key, "192.0.2.1", LimitClass::status, ListProjects{200, 5}, {}});
  expect_to_arrive(Call{key, "192.0.2.1", LimitClass::media, kRefusal, {}});
  expect_to_arrive(kTicket);
}

TEST_F(Messages, OfEveryAnswerArrive) {
  expect_to_arrive(Answer{kTicket, kRefusal});
  expect_to_arrive(Answer{kTicket, Created{1, "n", "a", 48.5, 16.25, 5}});
  expect_to_arrive(Answer{kTicket, Running{1, true, "Schritt", 3, 8, 5, 2, true}});
  expect_to_arrive(
      Answer{kTicket, Finished{1, {std::make_shared<const std::string>("{\"zustand\":\"fertig\"}")}}});
  expect_to_arrive(Answer{kTicket, ProjectPage{{{1, "n", "s", "p", "t", 48.5, 16.25}, {}}, true}});
}

TEST_F(Messages, OfARunsLifeArrive) {
  expect_to_arrive(kRun);
  expect_to_arrive(AnalysisJob{kRun, 16.25, 48.5, 4500});
  expect_to_arrive(StepDone{kRun, "Dachflächen", 3, 8});
  expect_to_arrive(RunOutcome{kRun, true, std::string(100'000, '\xff'), std::string(9, '\0'), 4.4, 4510,
                              Code::kein_dach, "t"});
}

TEST_F(Messages, OfPicturesAndFilesArrive) {
  const SharedText text{std::make_shared<const std::string>(std::string(100'000, '\xff')), 7};
  expect_to_arrive(Answer{kTicket, Medium{1, MediaKind::surface_image, 3, true, text}});
  expect_to_arrive(
      Answer{kTicket, MediaList{1, {{MediaKind::model, 0, false, kRefusal, 12, "© A"}}, {{1, 0.5}}}});
  expect_to_arrive(RenderOrder{1, 2, 3, MediaKind::model, true, 4, true, 800});
  expect_to_arrive(Rendered{true, Code::bild_nicht_zeichenbar, text});
  expect_to_arrive(SaveProject{1, 2});
}

TEST_F(Messages, OfAddressesAndAdministrationArrive) {
  expect_to_arrive(
      Located{Located::Kind::ambiguous, "s", "1a", "1010", "Wien", "AT", 16.25, 48.5, {"A", "B"}});
  expect_to_arrive(AddAccount{"a@b.example", "test"});
  expect_to_arrive(AddKey{42, "n", 3});
  expect_to_arrive(RevokeKey{42, "0123456789ab"});
  expect_to_arrive(DiscardAside{1, 2});
  expect_to_arrive(GiveUpLost{1, 2});
  expect_to_arrive(AdminReply{false, "42", true});
  expect_to_arrive(persistence::Writes{{persistence::Table::results, std::string(8, '\0'), "v"},
                                       persistence::erased(persistence::Table::line, "k")});
}

TEST_F(Messages, ThatArriveDoNotChangeWhatWasSent) {
  const auto text = std::make_shared<const std::string>("mine");
  Finished sent{1, {text}};
  expect_to_arrive(sent);
  EXPECT_EQ(*text, "mine");
  EXPECT_EQ(sent.body.text, text);
}

TEST(Codes, HaveTheContractsSpellingsAndTheWayBack) {
  for (std::size_t i = 0; i < kCodes; ++i)
    EXPECT_EQ(code_of(name_of(static_cast<Code>(i))), static_cast<Code>(i)) << i;
  EXPECT_STREQ(name_of(Code::schluessel_fehlt), "schluessel_fehlt");
  EXPECT_STREQ(name_of(Code::kein_dach), "kein_dach");
  EXPECT_STREQ(name_of(Code::anfrage_zu_gross), "anfrage_zu_gross");
  EXPECT_EQ(code_of("what nobody knows"), Code::interner_fehler);
  EXPECT_EQ(code_of(""), Code::interner_fehler);
}

}  // namespace
