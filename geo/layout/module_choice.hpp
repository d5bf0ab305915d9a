// Which modules are chosen when a surface is filled in part: one block, row by row from the ridge, where
// shade and snow reach last. A row that is filled in part is filled outwards from the block's middle.
#pragma once
#include <cstddef>
#include <vector>

#include "geo/layout/module_layout.hpp"

namespace geo {

/// Indices into `modules`, ascending; all of them when `count` is not smaller. The block is connected unless
/// `count` exceeds the largest connected part of the layout.
std::vector<std::size_t> choose_modules(const std::vector<ModuleRect>& modules, int count);

}  // namespace geo
