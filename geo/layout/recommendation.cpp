#include "geo/layout/recommendation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace geo {
namespace {

/// The surfaces that yield something, the best first, of equal ones the first.
std::vector<std::size_t> most_productive_first(const std::vector<SurfacePotential>& surfaces) {
  std::vector<std::size_t> order(surfaces.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t i) {
    return surfaces[i].modules_possible <= 0 || !(surfaces[i].kwh_per_kwp.value_or(0) > 0);
  });
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return *surfaces[a].kwh_per_kwp > *surfaces[b].kwh_per_kwp;
  });
  return order;
}

class Filling {
 public:
  Filling(const std::vector<SurfacePotential>& surfaces, double module_power_w, double consumption_kwh)
      : surfaces_(surfaces), module_kwp_(module_power_w / 1000), consumption_kwh_(consumption_kwh) {
    out_.modules.assign(surfaces.size(), 0);
  }

  double kwh_per_module(std::size_t i) const { return *surfaces_[i].kwh_per_kwp * module_kwp_; }
  /// Whole modules of surface i that would cover the rest. A thousandth of a module is rounding.
  double wanted(std::size_t i) const {
    return std::max(0.0, std::ceil((consumption_kwh_ - out_.yield_kwh) / kwh_per_module(i) - 1e-3));
  }
  void put(std::size_t i, int modules) {
    out_.modules[i] = modules;
    out_.modules_total += modules;
    out_.surfaces += 1;
    out_.yield_kwh += modules * kwh_per_module(i);
  }

  Recommendation result() {
    out_.power_kwp = out_.modules_total * module_kwp_;
    if (out_.modules_total > 0) {
      out_.kwh_per_kwp = out_.yield_kwh / out_.power_kwp;
      out_.wanted_kwp = consumption_kwh_ / *out_.kwh_per_kwp;
    }
    return out_;
  }

 private:
  const std::vector<SurfacePotential>& surfaces_;
  double module_kwp_, consumption_kwh_;
  Recommendation out_;
};

}  // namespace

Recommendation recommend(const std::vector<SurfacePotential>& surfaces, double module_power_w,
                         double consumption_kwh) {
  Filling filling(surfaces, module_power_w, consumption_kwh);
  const auto order = most_productive_first(surfaces);
  bool any = false;
  for (const std::size_t i : order) {
    const double wanted = filling.wanted(i);
    if (wanted < 2) break;  // covered, or nearly
    const int modules = static_cast<int>(std::min(wanted, static_cast<double>(surfaces[i].modules_possible)));
    if (modules < 2) continue;
    filling.put(i, modules);
    any = true;
  }
  if (!any && !order.empty() && filling.wanted(order.front()) > 0) filling.put(order.front(), 1);
  return filling.result();
}

}  // namespace geo
