// What of an office's answers is believed: its no, a page in a file's place, another file under an old URL.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "acquisition_fixture.hpp"

namespace {

using namespace geo::offices;
using test::kCrs;
using testing::HasSubstr;

class OfficeAnswers : public test::Acquisition {
 protected:
  OfficeAnswers() : Acquisition(std::chrono::seconds(30)) {}
  /// Of squares by number: those that the outline touches.
  Recipe by_number(geo::Ring outline) {
    auto made =
        recipe({}, R"({"method":"tile_numbers","url":")" + office_.url("/dom/dom_{E}_{N}.tif") + "\"}");
    made.sources.front().outline = std::move(outline);
    return made;
  }
  Recipe few_squares() {
    return by_number({{6.9366, 51.4256}, {6.9374, 51.4256}, {6.9374, 51.4262}, {6.9366, 51.4262}});
  }
  Recipe many_squares() {
    return by_number({{6.9366, 51.4256}, {6.9416, 51.4256}, {6.9416, 51.4286}, {6.9366, 51.4286}});
  }
  std::vector<FoundFile> files_of(const Recipe& recipe) { return plan(recipe)->sets.front().found.files; }
  void offer(const FoundFile& file) {
    office_.put(
        file.listed.url.substr(office_.url("").size()),
        {.body = test::tif_of(test::made_heights(file.square.min_x, file.square.min_y, 50, 1), kCrs)});
  }
  void say_no_to_everything(const test::LoopbackServer::Answer& answer) {
    office_.answer_with([answer](const auto& request) {
      return request.target() == "/dom/" ? std::nullopt : std::optional(answer);
    });
  }
  std::size_t missing_rows() {
    const auto all = rows();
    return static_cast<std::size_t>(std::count_if(
        all.begin(), all.end(), [](const geo::Tile& row) { return row.state == geo::TileState::missing; }));
  }
};

TEST_F(OfficeAnswers, NoSquareIsMissingWhileTheOfficeLacksWhatItSentBefore) {
  for (const FoundFile& file : files_of(many_squares())) offer(file);
  const std::size_t before = acquired(few_squares()).held;
  ASSERT_GT(before, 0U);
  const std::size_t all = files_of(many_squares()).size();
  ASSERT_GT(all, before + 40);
  say_no_to_everything({.status = 404});
  office_.forget_counts();
  const SetOutcome refused = acquired(many_squares(), false);
  EXPECT_EQ(refused.missing, 0U);
  EXPECT_EQ(refused.failed, all - before);
  EXPECT_FALSE(refused.complete());
  EXPECT_EQ(missing_rows(), 0U);
  EXPECT_LE(office_.counts().requests, 30) << "it is left alone soon";
  EXPECT_THAT(testing::PrintToString(refused.problems), HasSubstr("too, which came before"));
  office_.answer_with({});
  const SetOutcome again = acquired(many_squares(), false);
  EXPECT_EQ(again.held, all) << testing::PrintToString(again.problems);
  EXPECT_TRUE(again.complete());
}

TEST_F(OfficeAnswers, OfSquaresOfWhichNoneEverCameNoneIsRememberedAsMissing) {
  const SetOutcome outcome = acquired(few_squares());
  EXPECT_EQ(outcome.missing, 0U);
  EXPECT_FALSE(outcome.complete());
  EXPECT_EQ(missing_rows(), 0U);
  EXPECT_THAT(testing::PrintToString(outcome.problems), HasSubstr("none has come yet"));
}

TEST_F(OfficeAnswers, ARegionsFirstSquaresMayAllLieBeyondItsBorder) {
  const auto files = files_of(many_squares());
  ASSERT_GT(files.size(), 45U);
  offer(files.back());
  const SetOutcome outcome = acquired(many_squares());
  EXPECT_EQ(outcome.fetched, 1U);
  EXPECT_EQ(outcome.missing, files.size() - 1);
  EXPECT_TRUE(outcome.complete());
}

TEST_F(OfficeAnswers, AFileEndsWhileTheOfficeIsAskedWhetherItsNoIsTrue) {
  constexpr int kFiles = 30;
  list(names(kFiles, 2020));
  const std::string first = "/dom/" + name_of_square(0, 2020), second = "/dom/" + name_of_square(1, 2020);
  office_.put(first, {.body = test::tif_of(heights(0), kCrs)});
  office_.put(second, {.body = test::tif_of(heights(1), kCrs)});
  const Recipe listed = recipe();
  const auto made = plan(listed);
  ASSERT_TRUE(made);
  std::atomic<std::size_t> ended{0};
  std::atomic<int> asked{0};
  std::atomic<bool> went_on{false};
  const auto wait_until = [](const auto& is_so) {
    for (int i = 0; i < 1'000 && !is_so(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  };
  // The second comes once the first is asked for again, by range, and that is answered once the second is
  // here.
  office_.answer_with([&](const auto& request) -> std::optional<test::LoopbackServer::Answer> {
    const bool by_range = request.count(boost::beast::http::field::range) > 0;
    // A no counts once a file has come.
    if (request.target() != first && request.target() != second) wait_until([&] { return ended > 0; });
    if (request.target() == second && !by_range) wait_until([&] { return asked > 0; });
    if (request.target() != first || !by_range) return {};
    ++asked;
    wait_until([&] { return ended == 2; });
    went_on = ended == 2;
    return {};
  });
  Listening listening;
  listening.progress = [&](const SetProgress& progress) { ended = progress.done; };
  const auto outcome = acquire_tiles(made->sets.front(), folder_, fetcher_, listening, control_);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(asked, 1);
  EXPECT_TRUE(went_on);
  EXPECT_EQ(outcome->fetched, 2U);
  EXPECT_EQ(outcome->refused, std::size_t{kFiles - 2}) << testing::PrintToString(outcome->problems);
}

TEST_F(OfficeAnswers, AnUpdateAsksForMissingSquaresAgain) {
  const auto files = files_of(few_squares());
  ASSERT_GT(files.size(), 1U);
  offer(files.front());
  EXPECT_EQ(acquired(few_squares()).missing, files.size() - 1);
  offer(files.back());
  EXPECT_EQ(acquired(few_squares(), false).fetched, 0U);
  const SetOutcome update = acquired(few_squares());
  EXPECT_EQ(update.fetched, 1U);
  EXPECT_EQ(update.missing, files.size() - 2);
}

TEST_F(OfficeAnswers, AListedFileThatIsGoneOrAPageIsRefusedAndTheSetIsComplete) {
  list(names(4, 2020));
  for (int i = 0; i < 3; ++i)
    office_.put("/dom/" + name_of_square(i, 2020),
                {.body = test::tif_of(heights(i), kCrs), .habits = {.says_html = i == 2}});
  const SetOutcome outcome = acquired(recipe());
  EXPECT_EQ(outcome.fetched, 2U);
  EXPECT_EQ(outcome.refused, 2U);
  EXPECT_TRUE(outcome.complete());
  EXPECT_EQ(outcome.problems.size(), 2U);
  EXPECT_THAT(testing::PrintToString(outcome.problems), HasSubstr("but a page of HTML"));
}

TEST_F(OfficeAnswers, AnOfficeThatSendsPagesForEverythingHasNotAnswered) {
  constexpr int kFiles = 40;
  list(names(kFiles, 2020));
  const SetOutcome nothing = acquired(recipe());
  EXPECT_EQ(nothing.failed, std::size_t{kFiles});
  EXPECT_FALSE(nothing.complete());
  for (int i = 0; i < 2; ++i)
    office_.put("/dom/" + name_of_square(i, 2020), {.body = test::tif_of(heights(i), kCrs)});
  const SetOutcome some = acquired(recipe());
  EXPECT_EQ(some.refused, std::size_t{kFiles - 2}) << testing::PrintToString(some.problems);
  say_no_to_everything({.body = "<html>Wartung</html>", .headers = {{"Content-Type", "text/html"}}});
  office_.forget_counts();
  const SetOutcome pages = acquired(recipe(), false);
  EXPECT_EQ(pages.refused, 0U);
  EXPECT_EQ(pages.failed, std::size_t{kFiles - 2});
  EXPECT_LE(office_.counts().requests, 50) << "each page is asked for twice, and not all of them";
}

TEST_F(OfficeAnswers, AnUpdateBringsAnotherFileUnderItsOldUrl) {
  list(names(2, 2020));
  for (int i = 0; i < 2; ++i)
    office_.put("/dom/" + name_of_square(i, 2020), {.body = test::tif_of(heights(i), kCrs)});
  acquired(recipe());
  const std::string changed = "/dom/" + name_of_square(0, 2020);
  office_.put(changed, {.body = test::tif_of(heights(0, 1, 5), kCrs)});
  EXPECT_EQ(acquired(recipe(), false).fetched, 0U);
  expect_square(0);
  const SetOutcome update = acquired(recipe());
  EXPECT_EQ(update.fetched, 1U);
  EXPECT_EQ(update.held, 2U);
  expect_square(0, 1, 5);
  expect_square(1);
  // The older serves on where the newer is none.
  office_.put(changed, {.body = test::tif_of(heights(1), kCrs)});
  const SetOutcome wrong = acquired(recipe());
  EXPECT_EQ(wrong.refused, 1U);
  EXPECT_EQ(wrong.held, 2U);
  expect_square(0, 1, 5);
}

TEST_F(OfficeAnswers, AnUpdateSaysWhenItCannotLookForChanges) {
  list(names(2, 2020));
  for (int i = 0; i < 2; ++i)
    office_.put("/dom/" + name_of_square(i, 2020), {.body = test::tif_of(heights(i), kCrs)});
  acquired(recipe());
  say_no_to_everything({.status = 503});
  const SetOutcome update = acquired(recipe());
  EXPECT_FALSE(update.complete());
  EXPECT_EQ(update.held, 2U);
  EXPECT_THAT(testing::PrintToString(update.problems), HasSubstr("whether other files have changed"));
}

}  // namespace
