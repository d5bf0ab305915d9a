#include "geo/property_analysis.hpp"

#include <chrono>

#include "geo/data/geodata.hpp"
#include "geo/drawing/scene.hpp"
#include "geo/drawing/scene_bytes.hpp"
#include "geo/fetch/office_file_system.hpp"

namespace geo {
namespace {

constexpr const char* kSceneStep = "Bilder vorbereiten";
constexpr const char* kNoPictures =
    "Die Bilder konnten nicht vorbereitet werden; die Geodaten dafür waren nicht lesbar.";
constexpr const char* kReliefInstead =
    "Das Luftbild dieses Ortes ist nicht lesbar; die Bilder zeigen stattdessen das Relief des Höhenmodells.";

bool lacks_its_aerial_image(const Geodata& geodata, const PropertyScene& scene) {
  return scene.background.kind == BackgroundKind::relief &&
         geodata.catalogue.finest(DataKind::orthophoto, scene.centre) != nullptr;
}

Result<PropertyAnalysis> with_scene(RoofRun run, const Geodata& geodata, const RunControl& control) {
  RoofAnalysis& analysis = run.analysis;
  const auto scene = read_scene(geodata.catalogue, analysis, run.ground, control);
  if (!scene && scene.error().kind == FailureKind::cancelled) return tl::make_unexpected(scene.error());
  if (!scene) {
    analysis.warnings.emplace_back(kNoPictures);
    return PropertyAnalysis{std::move(analysis), {}};
  }
  if (lacks_its_aerial_image(geodata, *scene)) analysis.warnings.emplace_back(kReliefInstead);
  add_sources(analysis.sources, scene->sources);
  return PropertyAnalysis{std::move(analysis), scene_bytes(*scene)};
}

}  // namespace

Result<PropertyAnalysis> analyse_property(const Geodata& geodata, const AnalysisInput& input,
                                          const StepListener& on_step, const RunControl& control) {
  const auto began = std::chrono::steady_clock::now();
  const OfficeReading cancellable(control);
  auto run = run_roof_analysis(
      geodata, input,
      [&on_step](const AnalysisStep& step) {
        on_step({step.name, step.done, kRunSteps});
      },
      control);
  if (!run) return tl::make_unexpected(run.error());
  on_step({kSceneStep, kAnalysisSteps, kRunSteps});
  auto whole = with_scene(std::move(*run), geodata, control);
  if (whole)
    whole->analysis.duration_s =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return whole;
}

}  // namespace geo
