// Angles are in radians where a name does not say otherwise.
#pragma once
#include <numbers>

namespace geo {

inline constexpr double kDegree = std::numbers::pi / 180;
inline constexpr double kTurn = 2 * std::numbers::pi;

}  // namespace geo
