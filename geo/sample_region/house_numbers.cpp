#include "geo/sample_region/house_numbers.hpp"

#include <algorithm>

namespace geo::sample {

void number_houses(std::vector<Entrance> entrances, const std::vector<std::string>& streets, Random& random,
                   Settlement& settlement) {
  std::stable_sort(entrances.begin(), entrances.end(), [](const Entrance& a, const Entrance& b) {
    if (a.street != b.street) return a.street < b.street;
    if (a.side != b.side) return a.side > b.side;
    return a.s < b.s;
  });
  int street = -1, side = 0, number = 0;
  bool may_share = false;  // the last house its number with the next: one letter per number
  for (const Entrance& e : entrances) {
    const bool first = e.street != street || e.side != side;
    const bool shares = !first && may_share && random.chance(0.08);
    if (first)
      street = e.street, side = e.side, number = e.side > 0 ? 1 : 2;
    else if (!shares)
      number += 2;
    may_share = !shares;
    settlement.buildings[static_cast<std::size_t>(e.building)].address =
        static_cast<int>(settlement.addresses.size());
    settlement.addresses.push_back({streets[static_cast<std::size_t>(street)],
                                    std::to_string(number) + (shares ? "a" : ""), e.at, e.building});
  }
}

}  // namespace geo::sample
