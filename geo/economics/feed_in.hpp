// What is paid for electricity that is fed in, by the size of the plant. Money in one currency for each kWh.
#pragma once
#include <limits>
#include <vector>

namespace geo {

struct FeedInClass {
  double up_to_kwp = 0;
  double per_kwh = 0;
};

struct FeedInTariff {
  std::vector<FeedInClass> classes;  ///< smallest first
  bool marginal = true;  ///< each class pays for its own part of the power; false: the plant's for all of it
  /// The rate is at most this divided by the plant's power in kWp.
  double most_rate_times_kwp = std::numeric_limits<double>::infinity();
};

/// What the whole plant is paid. Beyond the last class its rate goes on: a larger plant never earns more for
/// each kWh than the law gives to a smaller one. 0 without classes.
double feed_in_per_kwh(const FeedInTariff& tariff, double kwp);

}  // namespace geo
