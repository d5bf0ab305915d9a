// Where a value lies in a rising table.
#pragma once
#include <algorithm>
#include <cstddef>

namespace geo {

/// Between two of a table's places; beyond its ends at the end.
struct BetweenPlaces {
  std::size_t first = 0;
  double share = 0;  ///< of the way to the next
};

/// `of` gives the figure of a place; there are two or more, and it rises.
template <class Places, class Of>
BetweenPlaces between_places(const Places& places, double value, Of of) {
  BetweenPlaces at;
  while (at.first + 2 < places.size() && of(places[at.first + 1]) <= value) ++at.first;
  const double from = of(places[at.first]), to = of(places[at.first + 1]);
  at.share = std::clamp((value - from) / (to - from), 0.0, 1.0);
  return at;
}

}  // namespace geo
