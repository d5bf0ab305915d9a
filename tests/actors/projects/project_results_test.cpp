// Results without an actor: read, rendered, missing, damaged, expired and swept. And the media made of them.
#include "actors/projects/project_results.hpp"

#include <gmock/gmock.h>

#include "actors/projects/project_changes.hpp"
#include "actors/projects/project_media.hpp"
#include "persistence/keys.hpp"
#include "persistence/result_codec.hpp"
#include "tests/persistence/store_fixture.hpp"
#include "tests/sample_analysis.hpp"

namespace {

using namespace actors;
using persistence::Table;

constexpr std::int64_t kEnd_ms = 1'700'000'000'000;

class ProjectResultsTest : public test::StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    results.emplace(
        *store, options, [this] { return now_ms; },
        [this](const ResultView& view) {
          ++rendered;
          if (render_fails) throw std::runtime_error("no");
          return view.project.name;
        },
        *meters);
    shelf.emplace(*store, options.projects_cached, CacheMeter{});
  }

  /// A project whose run has finished at kEnd_ms.
  ProjectEntry finished_project(std::uint64_t account, std::uint64_t project) {
    NewProject made{.account = account, .project = project, .run = project};
    made.order = {"Haus " + std::to_string(project), "Gasse 1", 4500, "H0", ""};
    made.spelling_key = "s" + std::to_string(project);
    made.house_key = "h" + std::to_string(project);
    const ProjectChange waiting = created(std::move(made), kEnd_ms - 2);
    const RunOutcome outcome{.run = {project, account, project},
                             .finished = true,
                             .result = persistence::encode_result(test::sample_analysis()).value(),
                             .scene = test::sample_scene_bytes()};
    const ProjectChange over = finished(started(waiting.entry, kEnd_ms - 1).entry, outcome, kEnd_ms);
    EXPECT_TRUE(store->commit(waiting.writes) && store->commit(over.writes));
    return over.entry;
  }
  void damage(const ProjectEntry& entry) {
    put(Table::results, persistence::project_key(entry.project.account, entry.project.id), "damaged");
  }
  static Code code_of(const Outcome& outcome) { return caf::get<Refusal>(outcome).code; }
  Code missing(const ProjectEntry& entry) const {
    const auto analysis = results->analysis(entry);
    EXPECT_FALSE(analysis);
    return analysis ? Code::interner_fehler : analysis.error().code;
  }

  ActorOptions options;
  MetersPtr meters = private_meters();
  std::int64_t now_ms = kEnd_ms;
  int rendered = 0;
  bool render_fails = false;
  std::optional<ProjectResults> results;
  std::optional<ProjectShelf> shelf;
};

TEST_F(ProjectResultsTest, RendersAResultOnceUntilItIsAnotherOne) {
  const ProjectEntry entry = finished_project(1, 17);
  EXPECT_EQ(*caf::get<Finished>(results->told(entry)).body.text, "Haus 17");
  results->told(entry);
  EXPECT_EQ(rendered, 1);
  results->forget(17);
  results->told(entry);
  EXPECT_EQ(rendered, 2);
}

TEST_F(ProjectResultsTest, SaysWhyThereIsNone) {
  ProjectEntry entry = finished_project(1, 17);
  now_ms = kEnd_ms + options.retention_h * kHour_ms - 1;
  EXPECT_TRUE(results->analysis(entry)) << "to the last millisecond";
  now_ms += 1;
  EXPECT_EQ(missing(entry), Code::analyse_fehlt);
  damage(entry);
  EXPECT_EQ(missing(entry), Code::analyse_unlesbar) << "which does not expire";
  EXPECT_TRUE(results->damaged(1, 17));
  EXPECT_FALSE(results->damaged(1, 18)) << "none is not damaged";
  const auto step = [&](persistence::RunState state) {
    entry.run.state = state;
    EXPECT_EQ(missing(entry), Code::analyse_fehlt);
    return results->analysis(entry).error().advice;
  };
  EXPECT_NE(step(persistence::RunState::failed).find("sagt, warum"), std::string::npos);
  for (const auto state : {persistence::RunState::waiting, persistence::RunState::running})
    EXPECT_EQ(step(state).find("POST"), std::string::npos) << "it would cost a start and begin none";
}

TEST_F(ProjectResultsTest, AnExpiredResultIsNotToldFromMemory) {
  const ProjectEntry entry = finished_project(1, 17);
  results->told(entry);
  now_ms += options.retention_h * kHour_ms;
  EXPECT_EQ(code_of(results->told(entry)), Code::analyse_fehlt);
}

TEST_F(ProjectResultsTest, WhatCannotBeRenderedIsAnInternalFault) {
  render_fails = true;
  EXPECT_EQ(code_of(results->told(finished_project(1, 17))), Code::interner_fehler);
}

TEST_F(ProjectResultsTest, SweepsTheExpiredResultsOfItsShardAFewAtATime) {
  for (std::uint64_t project = 1; project <= 40; ++project) finished_project(1, project);
  finished_project(2, 50);
  ExpirySweep sweep(*store, *shelf, *results, 2, 1);
  EXPECT_TRUE(sweep.next(kEnd_ms - 1).writes.empty()) << "nothing has expired";
  int parts = 0;
  for (bool more = true; more; ++parts) {
    const auto part = sweep.next(kEnd_ms);
    EXPECT_LE(part.writes.size(), 16U * 3);
    EXPECT_TRUE(store->commit(part.writes));
    more = part.more;
    ASSERT_LT(parts, 40);
  }
  EXPECT_GT(parts, 1);
  using Order = persistence::Store::Order;
  EXPECT_EQ(keys(Table::results, {}, Order::ascending).size(), 1U) << "another shard's";
  EXPECT_EQ(keys(Table::scenes, {}, Order::ascending).size(), 1U);
  EXPECT_EQ(keys(Table::expiry, {}, Order::ascending).size(), 1U);
  EXPECT_EQ(keys(Table::projects, {}, Order::ascending).size(), 41U) << "the projects stay";
}

TEST_F(ProjectResultsTest, SweepsNoDamagedAndNoNewerResult) {
  damage(finished_project(1, 17));
  finished_project(1, 18);
  put(Table::expiry, persistence::expiry_key(kEnd_ms - 5, 1, 18), {});  // of an earlier run
  ExpirySweep sweep(*store, *shelf, *results, 1, 0);
  const auto part = sweep.next(kEnd_ms - 5);
  ASSERT_EQ(part.writes.size(), 1U) << "the old expiry alone";
  EXPECT_EQ(part.writes[0].table, Table::expiry);
  EXPECT_TRUE(store->commit(part.writes));
  EXPECT_TRUE(store->commit(sweep.next(kEnd_ms).writes));
  EXPECT_NE(get(Table::results, persistence::project_key(1, 17)), "(none)");
  EXPECT_EQ(get(Table::results, persistence::project_key(1, 18)), "(none)");
}

TEST_F(ProjectResultsTest, MediaOrdersSayAllThatTheirBytesDependOn) {
  const ProjectEntry entry = finished_project(1, 17);
  const ProjectMedia media(*store, *results);
  const auto order = media.order(entry, {17, MediaKind::surface_image, 2, true, 640});
  ASSERT_TRUE(order);
  EXPECT_EQ(order->account, 1U);
  EXPECT_EQ(order->project, 17U);
  EXPECT_EQ(order->version, entry.run.id);
  EXPECT_EQ(order->surface, 2);
  EXPECT_EQ(order->width_px, 640);
  EXPECT_TRUE(order->png);
}

TEST_F(ProjectResultsTest, MediaThatAreNotToBeHadSayTheSameInTheListAndAtTheirAddress) {
  ProjectEntry entry = finished_project(1, 17);
  entry.run.scene_bytes = 0;
  const ProjectMedia media(*store, *results);
  const MediaList list = caf::get<MediaList>(media.list(entry));
  EXPECT_EQ(list.surfaces.size(), 2U);
  ASSERT_EQ(list.media.size(), 5U);
  for (const MediaItem& item : list.media) {
    const auto order = media.order(entry, {17, item.kind, item.surface, false, 800});
    ASSERT_FALSE(item.available);
    ASSERT_FALSE(order);
    EXPECT_EQ(order.error().code, item.refusal.code);
    EXPECT_EQ(order.error().text, item.refusal.text);
  }
}

}  // namespace
