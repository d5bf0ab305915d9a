// The solar module that is laid out, and its margins. Operators set them in roofd.conf, [module].
#pragma once

namespace geo {

inline constexpr double kFlatUpTo_deg = 10;  ///< of tilt: on flatter roofs wind lifts modules at the edges

/// Lengths in metres. Defaults: the common European module of 2025, margins as planners keep them on pitched
/// and flat roofs.
struct ModuleOptions {
  double power_w = 440;
  double length_m = 1.762;
  double width_m = 1.134;
  double edge_margin_m = 0.3;       ///< to eaves, ridge, verge and every other edge of a surface
  double flat_edge_margin_m = 0.5;  ///< the same, up to kFlatUpTo_deg
  double obstacle_margin_m = 0.3;   ///< around chimneys, windows, dormers
  double gap_m = 0.02;              ///< between modules, for the clamps
};

}  // namespace geo
