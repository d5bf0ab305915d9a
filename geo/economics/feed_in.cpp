#include "geo/economics/feed_in.hpp"

#include <algorithm>

namespace geo {

double feed_in_per_kwh(const FeedInTariff& tariff, double kwp) {
  if (tariff.classes.empty()) return 0;
  if (kwp <= 0) return tariff.classes.front().per_kwh;
  const auto own = std::find_if(tariff.classes.begin(), std::prev(tariff.classes.end()),
                                [&](const FeedInClass& one) { return kwp <= one.up_to_kwp; });
  if (!tariff.marginal) return std::min(own->per_kwh, tariff.most_rate_times_kwp / kwp);
  double paid = 0, below = 0;
  for (auto one = tariff.classes.begin(); one != own; below = one->up_to_kwp, ++one)
    paid += one->per_kwh * (one->up_to_kwp - below);
  paid += own->per_kwh * (kwp - below);
  return std::min(paid, tariff.most_rate_times_kwp) / kwp;
}

}  // namespace geo
