#include "geo/grid/block_maxima.hpp"

#include <algorithm>
#include <cmath>

namespace geo {

BlockMaxima block_maxima(const Grid<float>& heights) {
  constexpr int kBlock = BlockMaxima::kBlock;
  const PatchCount patches = patch_count(heights);
  const auto blocks = [](int count) { return std::max(0, (count + kBlock - 1) / kBlock); };
  BlockMaxima maxima{.highest = Grid<float>(blocks(patches.columns), blocks(patches.rows), heights.west,
                                            heights.north, heights.cell_m * kBlock, kNoData)};
  for (int row = 0; row < maxima.highest.height; ++row) {
    for (int column = 0; column < maxima.highest.width; ++column) {
      float highest = kNoData;
      // One cell further than the block: its last patches' corners.
      const int last_row = std::min(heights.height - 1, (row + 1) * kBlock);
      const int last_column = std::min(heights.width - 1, (column + 1) * kBlock);
      for (int r = row * kBlock; r <= last_row; ++r)
        for (int c = column * kBlock; c <= last_column; ++c) highest = higher(highest, heights.at(c, r));
      maxima.highest.at(column, row) = highest;
    }
  }
  return maxima;
}

}  // namespace geo
