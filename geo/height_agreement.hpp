// Whether the height models of a place can be of one place: another unit, another height system or a model of
// heights above the ground is not told by their files.
#pragma once
#include <optional>
#include <string>

#include "geo/grid/grid.hpp"

namespace geo {

/// Why a terrain model is not what lies beneath a surface model; German, for the contract's `warnungen`. Both
/// grids in one system, metres. Nothing when it may be, or too few cells are common.
std::optional<std::string> terrain_contradiction(const Grid<float>& dsm, const Grid<float>& dtm);

/// Why a coarse relief, which has `relief_m` at the place, is not of the surface model's surroundings.
std::optional<std::string> relief_contradiction(const Grid<float>& dsm, double relief_m);

}  // namespace geo
