#include "geo/grid/block_maxima.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace geo {

BlockMaxima block_maxima(const Grid<float>& heights) {
  constexpr int kBlock = BlockMaxima::kBlock;
  const PatchCount patches = patch_count(heights);
  const auto blocks = [](int count) { return std::max(0, (count + kBlock - 1) / kBlock); };
  BlockMaxima maxima{.highest = Grid<float>(blocks(patches.columns), blocks(patches.rows), heights.west,
                                            heights.north, heights.cell_m * kBlock, kNoData)};
  // First the highest of each column within a block's rows: so many columns are compared at once. (NaN is not
  // higher.)
  constexpr float kNothing = -std::numeric_limits<float>::infinity();
  std::vector<float> columns(static_cast<std::size_t>(heights.width));
  for (int row = 0; row < maxima.highest.height; ++row) {
    // One cell further than the block: its last patches' corners.
    const int last_row = std::min(heights.height - 1, (row + 1) * kBlock);
    std::fill(columns.begin(), columns.end(), kNothing);
    for (int r = row * kBlock; r <= last_row; ++r) {
      const float* cells = heights.values.data() + heights.index(0, r);
      for (std::size_t c = 0; c < columns.size(); ++c)
        columns[c] = cells[c] > columns[c] ? cells[c] : columns[c];
    }
    for (int column = 0; column < maxima.highest.width; ++column) {
      const auto first = columns.begin() + column * kBlock;
      const auto last = columns.begin() + std::min(heights.width, (column + 1) * kBlock + 1);
      const float highest = *std::max_element(first, last);
      maxima.highest.at(column, row) = highest > kNothing ? highest : kNoData;
      maxima.of_all = std::max(maxima.of_all, highest);
    }
  }
  return maxima;
}

}  // namespace geo
