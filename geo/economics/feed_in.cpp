#include "geo/economics/feed_in.hpp"

#include <algorithm>

namespace geo {

std::optional<double> feed_in_per_kwh(const FeedInTariff& tariff, double kwp) {
  if (tariff.classes.empty() || kwp > tariff.classes.back().up_to_kwp) return {};
  if (kwp <= 0) return tariff.classes.front().per_kwh;
  if (!tariff.marginal) {
    const auto own = std::find_if(tariff.classes.begin(), tariff.classes.end(),
                                  [&](const FeedInClass& one) { return kwp <= one.up_to_kwp; });
    return std::min(own->per_kwh, tariff.most_rate_times_kwp / kwp);
  }
  double paid = 0, below = 0;
  for (const FeedInClass& one : tariff.classes) {
    paid += one.per_kwh * std::max(0.0, std::min(kwp, one.up_to_kwp) - below);
    below = one.up_to_kwp;
  }
  return std::min(paid, tariff.most_rate_times_kwp) / kwp;
}

}  // namespace geo
