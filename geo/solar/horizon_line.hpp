// What stands against the sky, seen from one point: an elevation angle for each true azimuth.
// Degrees; azimuth as in the contract (south 0, east negative, west positive).
#pragma once
#include <array>
#include <cmath>

namespace geo {

inline constexpr int kHorizonSectors = 180;
inline constexpr double kHorizonStep_deg = 360.0 / kHorizonSectors;

/// Sector i is the ray at azimuth -180 + i * kHorizonStep_deg, no mean over a width. Never below 0: the
/// ground that falls away opens no sky that counts. A default line is a free horizon.
struct HorizonLine {
  std::array<float, kHorizonSectors> elevation_deg{};

  static constexpr double azimuth_deg(int sector) { return -180 + sector * kHorizonStep_deg; }

  /// The nearest ray's angle. No straight line between rays: an edge stays an edge.
  double at(double azimuth_deg) const { return elevation_deg[sector_of(azimuth_deg)]; }
  static int sector_of(double azimuth_deg) {
    const int sector =
        static_cast<int>(std::lround((azimuth_deg + 180) / kHorizonStep_deg)) % kHorizonSectors;
    return sector < 0 ? sector + kHorizonSectors : sector;
  }
};

}  // namespace geo
