// A project's media: the list tells what there is, and what is not to be had says why.
#include "persistence/keys.hpp"
#include "persistence/result_codec.hpp"
#include "tests/actors/fixture.hpp"
#include "tests/sample_analysis.hpp"

namespace {

using namespace actors;
using test::told;

struct Media : test::ActorsTest {
  std::string key = account();
  std::uint64_t project = test::created_project(create(key, "Gasse 1"));

  void finish_with(const geo::RoofAnalysis& analysis) {
    const std::uint64_t run_id = run_of(project);
    const auto& work = script.computing.at(run_id);
    caf::anon_send(
        work.owner,
        RunOutcome{.run = work.job.run, .finished = true, .result = persistence::encode_result(analysis)});
    end_thread(run_id);
  }
  test::Awaited medium(MediaKind kind, int surface = 0) {
    return ask(key, QueryMedia{project, kind, surface}, LimitClass::media);
  }
  MediaList list() { return test::outcome<MediaList>(medium(MediaKind::listing)); }

  static geo::RoofAnalysis with_modules_on(std::initializer_list<int> occupied) {
    geo::RoofAnalysis analysis = test::sample_analysis();
    for (geo::RoofSurface& surface : analysis.surfaces)
      if (std::find(occupied.begin(), occupied.end(), surface.id) == occupied.end()) surface.modules.clear();
    return analysis;
  }
};

std::vector<bool> available(const MediaList& list) {
  std::vector<bool> all;
  for (const MediaItem& item : list.media) all.push_back(item.available);
  return all;
}

TEST_F(Media, OfAnotherAccountOrOfNoProjectAreUnknown) {
  finish_with(test::sample_analysis());
  const std::string stranger = account();
  for (const MediaKind kind : {MediaKind::listing, MediaKind::surface_image, MediaKind::overview_image,
                               MediaKind::orthophoto, MediaKind::model}) {
    EXPECT_EQ(told(ask(stranger, QueryMedia{project, kind, 1})), "projekt_unbekannt");
    EXPECT_EQ(told(ask(key, QueryMedia{project + 1000, kind, 1})), "projekt_unbekannt");
  }
}

TEST_F(Media, ListNothingAvailableBeforeTheAnalysisIsFinished) {
  const MediaList before = list();
  EXPECT_EQ(before.project, project);
  EXPECT_EQ(available(before), (std::vector<bool>{false, false, false}));
  EXPECT_TRUE(before.surfaces.empty());
}

TEST_F(Media, ListAnImageOfEverySurfaceWithModules) {
  finish_with(with_modules_on({2}));
  const MediaList after = list();
  ASSERT_EQ(after.media.size(), 5U);
  EXPECT_EQ(after.media[0].kind, MediaKind::overview_image);
  EXPECT_EQ(after.media[1].surface, 1);
  EXPECT_EQ(after.media[2].surface, 2);
  EXPECT_EQ(available(after), (std::vector<bool>{true, false, true, false, false}));
}

TEST_F(Media, ListHowWellEverySurfaceIsKnown) {
  finish_with(test::sample_analysis());
  const MediaList after = list();
  ASSERT_EQ(after.surfaces.size(), 2U);
  const geo::FitStatistics fit = test::sample_surface(1).fit;
  EXPECT_EQ(after.surfaces[0].surface, 1);
  EXPECT_EQ(after.surfaces[0].tilt_error_deg, fit.tilt_error_deg);
  EXPECT_EQ(after.surfaces[0].azimuth_error_deg, fit.azimuth_error_deg);
  EXPECT_EQ(after.surfaces[0].area_error_m2, fit.area_error_m2);
  EXPECT_EQ(after.surfaces[0].residual_m, fit.residual_m);
  EXPECT_EQ(after.surfaces[0].cells, fit.cells);
  EXPECT_EQ(after.surfaces[0].coverage_pct, fit.coverage_pct);
}

TEST_F(Media, NameEachSourceOnceInTheAttribution) {
  geo::RoofAnalysis analysis = test::sample_analysis();
  analysis.sources = {{.kind = "dsm", .attribution = "© A"},
                      {.kind = "dtm", .attribution = "© A"},
                      {.kind = "climate"},
                      {.kind = "orthophoto", .attribution = "© B"}};
  finish_with(analysis);
  EXPECT_EQ(list().media[0].attribution, "© A; © B");
}

TEST_F(Media, HaveNoImageWithoutAStoredAnalysis) {
  for (const MediaKind kind : {MediaKind::surface_image, MediaKind::overview_image}) {
    const auto answer = medium(kind, 1);
    EXPECT_EQ(told(answer), "analyse_fehlt");
    EXPECT_EQ(test::outcome<Refusal>(answer).project, project);
  }
}

TEST_F(Media, HaveNoImageOnceTheResultHasExpired) {
  finish_with(test::sample_analysis());
  advance_hours(24);
  EXPECT_EQ(told(medium(MediaKind::overview_image)), "analyse_fehlt");
  EXPECT_EQ(available(list()), (std::vector<bool>{false, false, false}));
}

TEST_F(Media, HaveNoImageWhenNoSurfaceIsOccupied) {
  finish_with(with_modules_on({}));
  EXPECT_EQ(told(medium(MediaKind::overview_image)), "keine_belegten_flaechen");
  EXPECT_EQ(told(medium(MediaKind::surface_image, 1)), "keine_belegten_flaechen");
  EXPECT_EQ(told(medium(MediaKind::surface_image, 99)), "keine_belegten_flaechen");
}

TEST_F(Media, SayWhichSurfacesThereAreInsteadOfAnUnknownOne) {
  finish_with(test::sample_analysis());
  for (const int surface : {0, 3, -1}) {
    const auto answer = medium(MediaKind::surface_image, surface);
    EXPECT_EQ(told(answer), "flaeche_unbekannt") << surface;
    EXPECT_EQ(test::outcome<Refusal>(answer).existing, (std::vector<int>{1, 2})) << surface;
  }
}

TEST_F(Media, CannotDrawASurfaceWithoutModules) {
  finish_with(with_modules_on({2}));
  EXPECT_EQ(told(medium(MediaKind::surface_image, 1)), "bild_nicht_zeichenbar");
}

TEST_F(Media, SayThatADamagedResultIsUnreadable) {
  finish_with(test::sample_analysis());
  const std::string result = persistence::project_key(1, project);
  ASSERT_TRUE(store->commit({{persistence::Table::results, result, "damaged"}}));
  EXPECT_EQ(told(medium(MediaKind::listing)), "analyse_unlesbar");
  EXPECT_EQ(told(medium(MediaKind::overview_image)), "analyse_unlesbar");
}

TEST_F(Media, OfTheWebApplicationAreMissingWithOrWithoutAnAnalysis) {
  EXPECT_EQ(told(medium(MediaKind::orthophoto)), "orthofoto_fehlt");
  EXPECT_EQ(told(medium(MediaKind::model)), "modell_fehlt");
  finish_with(test::sample_analysis());
  EXPECT_EQ(told(medium(MediaKind::orthophoto)), "orthofoto_fehlt");
  EXPECT_EQ(told(medium(MediaKind::model)), "modell_fehlt");
}

TEST_F(Media, TagEqualResultsEquallyAndDifferentOnesDifferently) {
  finish_with(test::sample_analysis());
  const auto finished = [this] { return test::outcome<Finished>(query(key, project)).body; };
  const SharedText first = finished();
  EXPECT_NE(first.tag, 0U);
  EXPECT_EQ(finished().tag, first.tag);
  EXPECT_EQ(first.tag, std::hash<std::string>()(*first.text));
}

}  // namespace
