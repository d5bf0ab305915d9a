// A run's whole work: the roof surfaces (roof_analysis.hpp), and the scene that their pictures and 3D model
// are drawn from later, without any geodata (drawing/scene.hpp).
#pragma once
#include <string>

#include "geo/roof_analysis.hpp"

namespace geo {

struct PropertyAnalysis {
  RoofAnalysis analysis;
  std::string scene;  ///< scene_bytes(); empty: nothing can be drawn, and a warning of the analysis says why
};

/// Number of steps reported to `on_step` in one run: those of the analysis, and the scene.
inline constexpr int kRunSteps = kAnalysisSteps + 1;

/// Fails as analyse_roof does. A scene that cannot be read costs only the pictures. The analysis' sources
/// also name the data sets that only the scene used: whoever passes a picture on must name them.
Result<PropertyAnalysis> analyse_property(const Geodata& geodata, const AnalysisInput& input,
                                          const StepListener& on_step, const RunControl& control);

}  // namespace geo
