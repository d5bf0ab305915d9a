#include "geo/economics/cash_flow.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>

namespace geo {
namespace {

YearOfMoney year_of_money(const Investment& in, int year) {
  YearOfMoney y;
  y.generation_kwh = in.generation_kwh * std::pow(1 - in.degradation, year);
  y.saved = y.generation_kwh * in.self_consumption * in.price_per_kwh * std::pow(1 + in.price_rise, year);
  if (year < in.feed_in_years)
    y.fed_in = y.generation_kwh * (1 - in.self_consumption - in.storage_loss) * in.feed_in_per_kwh;
  y.spent = in.operation_per_year;
  const bool is_worn_out = in.replaced_after > 0 && (year + 1) % in.replaced_after == 0;
  if (is_worn_out && year + 1 < in.years) y.spent += in.replacement_cost;
  y.net = y.saved + y.fed_in - y.spent;
  return y;
}

double present_value(const Investment& in, const std::vector<YearOfMoney>& years, double rate) {
  double value = -in.cost, discount = 1;
  for (const YearOfMoney& y : years) value += y.net * (discount /= 1 + rate);
  return value;
}

/// The present value may be zero at several rates when years lose money after others have earned it. The
/// search starts at 0 %, goes upwards if the plant pays back and downwards if not, and takes the first. Below
/// -30 % a year the last years outweigh all others: a root there tells nothing of the plant.
/// Method: Alefeld, Potra & Shi (1995), algorithm 748, on the present value, where it changes its sign.
std::optional<double> internal_rate(const Investment& in, const std::vector<YearOfMoney>& years) {
  constexpr double kLowest = -0.3, kHighest = 10, kStep = 1.01;
  if (!(in.cost > 0)) return {};
  const auto value = [&](double rate) { return present_value(in, years, rate); };
  const bool pays = value(0) >= 0;
  double near = 0, far = 0;
  do {
    near = far;
    far = std::clamp((1 + near) * (pays ? kStep : 1 / kStep) - 1, kLowest, kHighest);
    if (far == near) return {};
  } while ((value(far) >= 0) == pays);
  std::uintmax_t rounds = 200;
  const auto [low, high] = boost::math::tools::toms748_solve(
      value, std::min(near, far), std::max(near, far), boost::math::tools::eps_tolerance<double>(45), rounds);
  return (low + high) / 2;
}

/// A plant that must be replaced in part may be paid twice; the last time counts.
std::optional<double> payback_years(const Investment& in, const std::vector<YearOfMoney>& years) {
  if (years.empty() || !(years.back().cumulative >= 0)) return {};
  for (std::size_t i = years.size(); i-- > 0;) {
    const double before = i > 0 ? years[i - 1].cumulative : -in.cost;
    if (before < 0) return static_cast<double>(i) - before / years[i].net;
  }
  return 0;
}

std::optional<double> levelised_per_kwh(const Investment& in, const std::vector<YearOfMoney>& years) {
  double cost = in.cost, kwh = 0, discount = 1;
  for (const YearOfMoney& y : years) {
    discount /= 1 + in.discount_rate;
    cost += y.spent * discount;
    kwh += y.generation_kwh * discount;
  }
  return kwh > 0 ? std::optional(cost / kwh) : std::nullopt;
}

}  // namespace

CashFlow cash_flow(const Investment& investment) {
  CashFlow flow;
  double cumulative = -investment.cost;
  for (int year = 0; year < investment.years; ++year) {
    flow.years.push_back(year_of_money(investment, year));
    flow.years.back().cumulative = cumulative += flow.years.back().net;
  }
  flow.net_present_value = present_value(investment, flow.years, investment.discount_rate);
  flow.internal_rate = internal_rate(investment, flow.years);
  flow.payback_years = payback_years(investment, flow.years);
  flow.levelised_per_kwh = levelised_per_kwh(investment, flow.years);
  return flow;
}

}  // namespace geo
