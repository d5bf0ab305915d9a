// A battery behind the house's meter: it takes what is left over and gives it back as soon as it is missing.
#pragma once
#include <algorithm>

namespace geo {

/// Efficiencies as HTW Berlin's independence calculator (Unabhängigkeitsrechner) takes them.
struct StorageOptions {
  double usable_kwh = 0;
  double charging = 0.94;
  double cell = 0.95;
  double discharging = 0.94;
};

class Storage {
 public:
  /// A negative size, or NaN, counts as 0.
  explicit Storage(const StorageOptions& options) : options_(options) {
    options_.usable_kwh = std::max(0.0, options_.usable_kwh);
  }

  /// Takes what it can of `surplus_kwh`; returns what it took.
  double charge(double surplus_kwh) {
    const double kept = options_.charging * options_.cell;
    const double taken = std::min(surplus_kwh, (options_.usable_kwh - content_kwh_) / kept);
    content_kwh_ = std::min(options_.usable_kwh, content_kwh_ + taken * kept);  // not beyond by rounding
    return taken;
  }
  /// Gives what it can of `missing_kwh`; returns what it gave.
  double discharge(double missing_kwh) {
    const double given = std::min(missing_kwh, content_kwh_ * options_.discharging);
    content_kwh_ = std::max(0.0, content_kwh_ - given / options_.discharging);
    return given;
  }
  double content_kwh() const { return content_kwh_; }

 private:
  StorageOptions options_;
  double content_kwh_ = 0;
};

}  // namespace geo
