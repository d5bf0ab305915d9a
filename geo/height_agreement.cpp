#include "geo/height_agreement.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "geo/drawing/german_text.hpp"
#include "geo/grid/resampling.hpp"

namespace geo {
namespace {

constexpr double kSampleStep_m = 5;
constexpr std::size_t kFewestCommon = 100;  // common cells
constexpr double kLowestShare = 0.005;      // of the cells; so many show the ground, also in a wood
constexpr float kMostAboveGround_m = 25;    // of what lies lowest
constexpr float kMostBelowGround_m = 5;     // of what lies in the middle
constexpr double kReliefOff_m = 150;        // a cell of 100 m in the Alps may be off by that

std::string metres_off(double metres) { return german_number(std::abs(metres), 0) + " m"; }

float percentile_of(std::vector<float>& values, double share) {
  const auto at =
      values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

/// Of every fifth metre.
template <class Height>
std::vector<float> every_fifth_metre(const Grid<float>& dsm, const Height& height) {
  std::vector<float> values;
  const int step = std::max(1, static_cast<int>(kSampleStep_m / dsm.cell_m));
  for (int row = 0; row < dsm.height; row += step)
    for (int col = 0; col < dsm.width; col += step)
      if (const float z = height(dsm.at(col, row), dsm.centre(col, row)); !std::isnan(z)) values.push_back(z);
  return values;
}

}  // namespace

std::optional<std::string> terrain_contradiction(const Grid<float>& dsm, const Grid<float>& dtm) {
  auto above = every_fifth_metre(dsm, [&](float z, Point at) { return z - height_at_point(dtm, at); });
  if (above.size() < kFewestCommon) return {};
  const float lowest = percentile_of(above, kLowestShare), middle = percentile_of(above, 0.5);
  if (lowest <= kMostAboveGround_m && middle >= -kMostBelowGround_m) return {};
  return "Das Geländemodell passt nicht zum Oberflächenmodell (etwa " +
         metres_off(middle < -kMostBelowGround_m ? middle : lowest) +
         " daneben) und wurde nicht verwendet; die Geländehöhe wurde aus dem Oberflächenmodell abgeleitet.";
}

std::optional<std::string> relief_contradiction(const Grid<float>& dsm, double relief_m) {
  auto heights = every_fifth_metre(dsm, [](float z, Point) { return z; });
  if (heights.size() < kFewestCommon || std::isnan(relief_m)) return {};
  const double difference = relief_m - percentile_of(heights, 0.5);
  if (std::abs(difference) <= kReliefOff_m) return {};
  return "Das Relief der Umgebung passt nicht zum Höhenmodell (etwa " + metres_off(difference) +
         " daneben) und wurde nicht verwendet; Berge am Horizont sind nicht berücksichtigt.";
}

}  // namespace geo
