// Numbers the houses of the sample settlement as a town does: odd on one side of a street, even on the other,
// a letter here and there where two houses share a number.
#pragma once
#include <string>
#include <vector>

#include "geo/sample_region/random.hpp"
#include "geo/sample_region/settlement.hpp"

namespace geo::sample {

/// A main building before its street is numbered.
struct Entrance {
  int street = 0, side = 1;
  double s = 0;  ///< along the street
  Point at;
  int building = 0;
};

/// Adds the addresses, in the order of streets and sides, and enters their indices in the buildings.
void number_houses(std::vector<Entrance> entrances, const std::vector<std::string>& streets, Random& random,
                   Settlement& settlement);

}  // namespace geo::sample
