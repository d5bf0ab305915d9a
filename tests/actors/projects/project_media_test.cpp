// A project's media: the list tells what there is, and the answer for what is missing says why.
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
    finish(run_of(project), analysis, test::sample_scene_bytes());
  }
  test::Awaited medium(MediaKind kind, int surface = 0, bool png = false, int width_px = 800) {
    return ask(key, QueryMedia{project, kind, surface, png, width_px}, LimitClass::media);
  }
  std::string body(MediaKind kind, int surface = 0, bool png = false, int width_px = 800) {
    const auto answer = medium(kind, surface, png, width_px);
    return told(answer) == "medium" ? *test::outcome<Medium>(answer).body.text : told(answer);
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

TEST_F(Media, BringThePictureThatWasAskedFor) {
  finish_with(test::sample_analysis());
  EXPECT_EQ(body(MediaKind::surface_image, 2), "medium 1 of 2 surfaces, 2 as SVG 800");
  EXPECT_EQ(body(MediaKind::overview_image, 0, true, 2000), "medium 2 of 2 surfaces, 0 as PNG 2000");
  const auto medium_of_two = test::outcome<Medium>(medium(MediaKind::surface_image, 2, true, 200));
  EXPECT_EQ(medium_of_two.project, project);
  EXPECT_EQ(medium_of_two.surface, 2);
  EXPECT_TRUE(medium_of_two.png);
  EXPECT_EQ(medium_of_two.body.tag, std::hash<std::string>()(*medium_of_two.body.text));
}

TEST_F(Media, AreDrawnOnceUntilANewRunHasFinished) {
  finish_with(test::sample_analysis());
  for (int i = 0; i < 3; ++i) body(MediaKind::overview_image);
  EXPECT_EQ(script.drawn.size(), 1U);
  body(MediaKind::overview_image, 0, true);
  EXPECT_EQ(script.drawn.size(), 2U) << "another format is another picture";
  post(key, project);
  geo::RoofAnalysis other = test::sample_analysis();
  other.surfaces.pop_back();
  finish_with(other);
  EXPECT_EQ(body(MediaKind::overview_image), "medium 2 of 1 surfaces, 0 as SVG 800");
}

TEST_F(Media, OfAResultWithoutASceneCannotBeDrawnAndTheListSaysWhatToDo) {
  finish(run_of(project), test::sample_analysis(), {});
  for (const MediaKind kind : {MediaKind::overview_image, MediaKind::surface_image}) {
    const auto answer = medium(kind, 1);
    ASSERT_EQ(told(answer), "bild_nicht_zeichenbar");
    EXPECT_NE(test::outcome<Refusal>(answer).text.find("starten Sie die Analyse neu"), std::string::npos);
  }
  EXPECT_EQ(available(list()), (std::vector<bool>{false, false, false, false, false}));
  EXPECT_TRUE(script.drawn.empty());
}

TEST_F(Media, SayInTheContractsWordsWhyADrawingFailed) {
  finish_with(test::sample_analysis());
  script.drawing_fails = Code::format_nicht_moeglich;
  EXPECT_EQ(body(MediaKind::overview_image, 0, true), "format_nicht_moeglich");
  script.drawing_throws = true;
  EXPECT_EQ(body(MediaKind::overview_image, 0, true), "interner_fehler");
  script.drawing_throws = false;
  script.drawing_fails = Code::schluessel_fehlt;
  EXPECT_EQ(told(medium(MediaKind::overview_image, 0, true)), "medium") << "a failure is not kept";
}

TEST_F(Media, OfADamagedSceneCannotBeDrawn) {
  finish_with(test::sample_analysis());
  ASSERT_TRUE(store->commit({{persistence::Table::scenes, persistence::project_key(1, project), "damaged"}}));
  EXPECT_EQ(told(medium(MediaKind::overview_image)), "bild_nicht_zeichenbar");
}

TEST_F(Media, LoseTheirSceneTogetherWithTheResult) {
  finish_with(test::sample_analysis());
  EXPECT_EQ(rows(persistence::Table::scenes), 1U);
  advance_hours(24);
  advance(60'000);
  EXPECT_EQ(rows(persistence::Table::results), 0U);
  EXPECT_EQ(rows(persistence::Table::scenes), 0U);
  post(key, project);
  finish_with(test::sample_analysis());
  EXPECT_EQ(rows(persistence::Table::scenes), 1U);
  post(key, project);
  EXPECT_EQ(rows(persistence::Table::scenes), 0U) << "the new run's result is not there yet";
}

TEST_F(Media, OfAWaitingOrRunningAnalysisAreMissing) {
  EXPECT_EQ(told(medium(MediaKind::overview_image)), "analyse_fehlt");
}

TEST_F(Media, InTheListAnswerWhatTheirAddressesAnswer) {
  const auto expect_agreement = [this](const std::string& when) {
    for (const MediaItem& item : list().media) {
      const auto answer = medium(item.kind, item.surface);
      if (item.available) {
        ASSERT_EQ(told(answer), "medium") << when;
        const bool size_known = item.size_bytes > 0;
        EXPECT_TRUE(!size_known || test::outcome<Medium>(answer).body.text->size() == item.size_bytes)
            << when;
      } else {
        ASSERT_EQ(told(answer), name_of(item.refusal.code)) << when;
        EXPECT_EQ(test::outcome<Refusal>(answer).text, item.refusal.text) << when;
      }
    }
  };
  expect_agreement("while it computes");
  finish_with(with_modules_on({2}));
  expect_agreement("finished");
  script.no_aerial_image = true;
  save(1, project);
  expect_agreement("saved without an aerial image");
  script.no_aerial_image = false;
  save(1, project);
  expect_agreement("saved");
  advance_hours(24);
  expect_agreement("expired");
  post(key, project);
  finish(run_of(project), with_modules_on({}), {});
  expect_agreement("without modules and scene");
}

struct Saving : Media {};

TEST_F(Saving, MakesAndStoresModelAndOrthophoto) {
  finish_with(test::sample_analysis());
  const auto reply = save(1, project);
  ASSERT_TRUE(reply && reply->ok) << (reply ? reply->text : "no answer");
  const MediaList after = list();
  EXPECT_EQ(available(after), (std::vector<bool>{true, true, true, true, true}));
  EXPECT_EQ(after.media[3].size_bytes, body(MediaKind::orthophoto).size());
  EXPECT_EQ(after.media[4].size_bytes, body(MediaKind::model).size());
  EXPECT_EQ(after.media[4].attribution, "© BEV");
  EXPECT_EQ(body(MediaKind::model), "medium 4 of 2 surfaces, 0 as SVG 0");
}

TEST_F(Saving, OutlivesARestartAndTheResult) {
  finish_with(test::sample_analysis());
  save(1, project);
  restart();
  EXPECT_EQ(told(medium(MediaKind::model)), "medium");
  advance_hours(25);
  EXPECT_EQ(told(medium(MediaKind::overview_image)), "analyse_fehlt");
  EXPECT_EQ(told(medium(MediaKind::model)), "medium");
  EXPECT_EQ(told(medium(MediaKind::orthophoto)), "medium");
}

TEST_F(Saving, AgainReplacesWhatWasSaved) {
  finish_with(test::sample_analysis());
  save(1, project);
  EXPECT_EQ(rows(persistence::Table::files), 2U);
  advance(1);
  script.no_aerial_image = true;
  ASSERT_TRUE(save(1, project)->ok);
  EXPECT_EQ(body(MediaKind::orthophoto), "orthofoto_fehlt") << "no aerial image any more";
  EXPECT_EQ(rows(persistence::Table::files), 1U);
}

TEST_F(Saving, FollowsTheResults) {
  finish_with(test::sample_analysis());
  save(1, project);
  const std::string before = body(MediaKind::model);
  geo::RoofAnalysis other = test::sample_analysis();
  other.surfaces.pop_back();
  advance(1);
  post(key, project);
  script.drawing_throws = true;
  finish_with(other);
  EXPECT_EQ(body(MediaKind::model), before) << "better than none";
  script.drawing_throws = false;
  post(key, project);
  finish_with(other);
  EXPECT_EQ(body(MediaKind::model), "medium 4 of 1 surfaces, 0 as SVG 0");
}

TEST_F(Saving, IsNotBegunByAResult) {
  finish_with(test::sample_analysis());
  post(key, project);
  finish_with(test::sample_analysis());
  EXPECT_EQ(rows(persistence::Table::media), 0U);
}

TEST_F(Saving, SaysWhyItCannotBe) {
  EXPECT_FALSE(save(1, project + 1000)->ok);
  EXPECT_FALSE(save(2, project)->ok) << "it belongs to the first account";
  EXPECT_NE(save(1, project)->text.find("analyse_fehlt"), std::string::npos);
  finish(run_of(project), test::sample_analysis(), {});
  EXPECT_NE(save(1, project)->text.find("run its analysis again"), std::string::npos);
  post(key, project);
  finish_with(test::sample_analysis());
  script.drawing_throws = true;
  EXPECT_NE(save(1, project)->text.find("cannot be drawn"), std::string::npos);
  script.drawing_throws = false;
  script.disk_refuses = true;
  EXPECT_NE(save(1, project)->text.find("disk"), std::string::npos);
  script.disk_refuses = false;
  EXPECT_EQ(rows(persistence::Table::files), 0U);
  EXPECT_EQ(rows(persistence::Table::media), 0U);
  EXPECT_EQ(told(medium(MediaKind::model)), "modell_fehlt");
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
