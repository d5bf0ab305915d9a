// An address's place in, its roof surfaces out: the run's whole computation, without any waiting, storing or
// answering. The .cpp reads as the method.
#pragma once
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "geo/failure.hpp"
#include "geo/grid/grid.hpp"
#include "geo/layout/module_options.hpp"
#include "geo/roof/roof_plane.hpp"
#include "geo/run_control.hpp"
#include "geo/shapes/shapes.hpp"
#include "geo/sources.hpp"

namespace geo {

struct Geodata;

struct AnalysisInput {
  LonLat place;                ///< of the address
  double consumption_kwh = 0;  ///< a year's
  ModuleOptions modules;
};

/// A step of a run, as a client reads it: `name` is German.
struct AnalysisStep {
  std::string name;
  int done = 0;
  int total = 0;
};
using StepListener = std::function<void(const AnalysisStep&)>;

struct PointLoss {
  std::string label;  ///< traufe_links, traufe_rechts, first_rechts, first_links, mitte
  LonLat place;
  double loss_pct = 0;  ///< of the yearly irradiation on the plane
};

struct SurfaceShading {
  double mean_loss_pct = 0;
  std::vector<PointLoss> points;
};

struct PlacedModule {
  std::array<Point, 4> corners;  ///< plan view, map metres
  bool recommended = false;
};

struct RoofSurface {
  int id = 0;  ///< from 1
  std::string name;
  std::optional<int> building;  ///< from 1
  double plan_area_m2 = 0;
  double roof_area_m2 = 0;  ///< inclined
  double tilt_deg = 0;
  double azimuth_deg = 0;                ///< south 0, east negative
  std::optional<double> ridge_height_m;  ///< highest point above the terrain
  Plane plane;
  Polygon outline;                                 ///< plan view, map metres
  std::vector<std::vector<LonLat>> outline_wgs84;  ///< closed rings, RFC 7946
  std::vector<Polygon> obstacles;
  FitStatistics fit;
  bool portrait = true;               ///< orientation of its modules (Hochformat)
  std::vector<PlacedModule> modules;  ///< all that fit; the recommended ones are marked
  int modules_recommended = 0;
  std::optional<double> yield_kwh_per_kwp;
  std::optional<SurfaceShading> shading;
  int modules_possible() const { return static_cast<int>(modules.size()); }
};

/// What the surfaces come to; a value that cannot be told is missing.
struct Totals {
  double plan_area_m2 = 0;
  double roof_area_m2 = 0;
  int buildings = 0;
  int modules_possible = 0;
  std::optional<double> demand_kwp;  ///< what the consumption alone asks for (empfehlung_kwp)
  int design_modules = 0;            ///< the recommended installation (Auslegung)
  int design_surfaces = 0;
  std::optional<double> design_yield_kwh;  ///< in a year
};

struct RoofAnalysis {
  std::string crs_wkt;  ///< of every map coordinate in it
  double module_power_w = 0;
  std::vector<RoofSurface> surfaces;
  Totals totals;
  std::vector<Source> sources;
  std::vector<std::string> warnings;  ///< German sentences: what stayed incomplete
  double duration_s = 0;              ///< computing time
};

/// Peak power of so many of its modules, kWp.
inline double peak_power_kwp(const RoofAnalysis& analysis, int modules) {
  return modules * analysis.module_power_w / 1000;
}

/// Number of steps reported to `on_step` in one run.
inline constexpr int kAnalysisSteps = 8;

/// What a run has read and decided on its way to the surfaces, in map metres. Its pictures use the same data.
struct RunGround {
  Grid<float> surface;              ///< surface model, 500 m and more around the address
  Grid<float> terrain;              ///< around the property
  std::vector<Polygon> footprints;  ///< of the property's buildings; empty if found in the heights
};

struct RoofRun {
  RoofAnalysis analysis;
  RunGround ground;
};

/// Fails with no_roof (German text for the client), data_unreachable, data_overloaded, cancelled or internal.
Result<RoofRun> run_roof_analysis(const Geodata& geodata, const AnalysisInput& input,
                                  const StepListener& on_step, const RunControl& control);
/// The same for callers that draw nothing.
Result<RoofAnalysis> analyse_roof(const Geodata& geodata, const AnalysisInput& input,
                                  const StepListener& on_step, const RunControl& control);

}  // namespace geo
