// What a plant costs and earns over its years. Money comes and goes at the end of each year; the first year
// has the full generation. Taxes and loans are left out.
#pragma once
#include <limits>
#include <optional>
#include <vector>

namespace geo {

/// Money in one currency; shares, not percent; energy in kWh.
struct Investment {
  double cost = 0;                ///< at the beginning
  double operation_per_year = 0;  ///< insurance, meter, upkeep
  double generation_kwh = 0;      ///< of the first year
  double self_consumption = 0;    ///< share of the generation that replaces bought electricity
  double storage_loss = 0;        ///< share of the generation that neither is used nor fed in
  double price_per_kwh = 0;       ///< of bought electricity in the first year
  double feed_in_per_kwh = 0;
  int feed_in_years = std::numeric_limits<int>::max();  ///< afterwards nothing is paid
  double price_rise = 0;                                ///< a year
  double degradation = 0;                               ///< of the generation, a year
  double discount_rate = 0;                             ///< a year
  int years = 20;
  double replacement_cost = 0;  ///< of the storage
  int replaced_after = 15;      ///< years, again and again; not at the end of the last one
};

struct YearOfMoney {
  double generation_kwh = 0;
  double saved = 0;       ///< for electricity that is not bought
  double fed_in = 0;      ///< for electricity that is sold
  double spent = 0;       ///< operation and replacement
  double net = 0;         ///< saved + fed_in - spent
  double cumulative = 0;  ///< with the cost of the beginning
};

struct CashFlow {
  std::vector<YearOfMoney> years;
  double net_present_value = 0;
  /// Of the money in the plant; no interest is earned on it elsewhere (interner Zinsfuß). Negative when only
  /// a part of the cost comes back. None below -30 %, when the cost is 0, and above 1000 %.
  std::optional<double> internal_rate;
  std::optional<double> payback_years;      ///< linear within the year; none when not within `years`
  std::optional<double> levelised_per_kwh;  ///< discounted cost over discounted energy (LCOE)
};

CashFlow cash_flow(const Investment& investment);

}  // namespace geo
