#include "geo/grid/fill_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace geo {
namespace {

constexpr float kGapBelow_m = 40;   // no cliff of this height stands without a slope beside it
constexpr float kGapOfAll_m = 100;  // when most cells have that value
constexpr float kGapAbove_m = 300;  // higher than any building is above its surroundings
constexpr float kGapOfZero_m = 2;   // 0 exactly is the number that tools write most
constexpr int kMostValues = 4;
constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

struct LowestValue {
  float value = std::numeric_limits<float>::infinity();
  float next = std::numeric_limits<float>::infinity();  ///< the lowest value above it
  float highest = -std::numeric_limits<float>::infinity();
  std::size_t cells = 0, others = 0;  ///< with that value, and with another one
};

LowestValue lowest_value(const Grid<float>& heights) {
  LowestValue low;
  for (const float z : heights.values) {
    if (std::isnan(z)) continue;
    low.highest = std::max(low.highest, z);
    if (z < low.value) {
      low.next = low.value, low.value = z;
      low.others += low.cells, low.cells = 1;
    } else if (z == low.value) {
      ++low.cells;
    } else {
      low.next = std::min(low.next, z);
      ++low.others;
    }
  }
  return low;
}

bool is_fill(const LowestValue& low) {
  const float gap = low.next - low.value;
  if (low.others == 0 || !(gap >= kGapOfZero_m)) return false;
  if (low.cells > low.others) return gap >= kGapOfAll_m;
  return gap >= kGapBelow_m || low.value == 0;
}

/// Whatever lies above a wide gap. One bin for each metre.
void drop_above_gap(Grid<float>& heights, float lowest, float highest) {
  std::vector<bool> filled(static_cast<std::size_t>(highest - lowest) + 1);
  for (const float z : heights.values)
    if (!std::isnan(z)) filled[static_cast<std::size_t>(z - lowest)] = true;
  std::size_t below = 0;
  for (std::size_t bin = 1; bin < filled.size(); ++bin) {
    if (!filled[bin]) continue;
    if (static_cast<float>(bin - below) > kGapAbove_m) {
      const float limit = lowest + static_cast<float>(bin) - 1;
      std::replace_if(
          heights.values.begin(), heights.values.end(), [limit](float z) { return z > limit; }, kNone);
      return;
    }
    below = bin;
  }
}

}  // namespace

void drop_fill_values(Grid<float>& heights) {
  for (int i = 0; i < kMostValues; ++i) {
    const LowestValue low = lowest_value(heights);
    if (low.others == 0) return;
    if (!is_fill(low)) {
      if (low.highest - low.value > kGapAbove_m) drop_above_gap(heights, low.value, low.highest);
      return;
    }
    std::replace(heights.values.begin(), heights.values.end(), low.value, kNone);
  }
}

}  // namespace geo
