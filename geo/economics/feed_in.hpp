// What is paid for electricity that is fed in, by the size of the plant. Money in one currency for each kWh.
#pragma once
#include <limits>
#include <optional>
#include <vector>

namespace geo {

struct FeedInClass {
  double up_to_kwp = 0;
  double per_kwh = 0;
};

struct FeedInTariff {
  std::vector<FeedInClass> classes;  ///< smallest first; each pays for its own part of the power
  /// The rate is at most this divided by the plant's power in kWp.
  double most_rate_times_kwp = std::numeric_limits<double>::infinity();
};

/// Mean of the classes by power; none for a plant beyond the last one.
std::optional<double> feed_in_per_kwh(const FeedInTariff& tariff, double kwp);

}  // namespace geo
