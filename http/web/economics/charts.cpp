#include "http/web/economics/charts.hpp"

#include <algorithm>
#include <numeric>

#include "geo/drawing/german_text.hpp"
#include "http/web/economics/plot.hpp"

namespace http {
namespace {

constexpr double kPowerOfQuarter = geo::kQuarters / 24.0;  ///< kWh in a quarter of an hour to kW

std::string number(double value, int decimals = 0) { return geo::german_number(value, decimals); }

double highest_kw(const geo::YearBalance& year) {
  double kwh = 0;
  for (const geo::SeasonDay& day : year.seasons)
    for (const geo::DayLoad* load : {&day.generation, &day.consumption})
      kwh = std::max(kwh, *std::max_element(load->begin(), load->end()));
  return kwh * kPowerOfQuarter;
}

double daily_kwh(const geo::DayLoad& load) { return std::accumulate(load.begin(), load.end(), 0.0); }

std::vector<geo::Point> day_line(const Plot& plot, const geo::DayLoad& load) {
  std::vector<geo::Point> points;
  for (std::size_t q = 0; q < load.size(); ++q)
    points.push_back(
        {plot.x((static_cast<double>(q) + 0.5) / geo::kQuarters), plot.y(load[q] * kPowerOfQuarter)});
  return points;
}

std::vector<geo::Point> down_to_zero(const Plot& plot, std::vector<geo::Point> line) {
  line.push_back({line.back().x, plot.y(0)});
  line.push_back({line.front().x, plot.y(0)});
  return line;
}

/// Parts of one bar, from the bottom or the left.
struct BarPart {
  const char* classes;
  double kwh;
};

void stacked_bar(Plot& plot, double x, double width, const std::vector<BarPart>& parts) {
  double from = 0;
  for (const BarPart& part : parts) {
    plot.bar(part.classes, x, width, from, from + part.kwh);
    from += part.kwh;
  }
}

std::vector<BarPart> where_to(const geo::EnergyBalance& b) {
  return {{"series-3", b.direct}, {"series-4", b.charged}, {"series-1", b.fed_in}};
}
std::vector<BarPart> where_from(const geo::EnergyBalance& b) {
  return {{"series-3", b.direct}, {"series-4", b.discharged}, {"series-2", b.drawn}};
}

void lying_bar(Plot& plot, double y, const std::string& name, double all, const std::vector<BarPart>& parts) {
  constexpr double kHeight = 26, kRoomForText = 0.11;
  plot.label("label strong", {plot.x(0), y - 7}, name);
  plot.label("label end", {plot.x(1), y - 7}, number(all) + " kWh");
  double from = 0;
  for (const BarPart& part : parts) {
    const double share = all > 0 ? part.kwh / all : 0;
    if (share > 0)
      plot.root().rect(plot.x(from), y, plot.x(share) - plot.x(0), kHeight).set("class", part.classes);
    if (share > kRoomForText)
      plot.label("label middle strong", {plot.x(from + share / 2), y + kHeight + 15},
                 number(100 * share) + " %");
    from += share;
  }
}

std::vector<double> money_over_years(const geo::CashFlow& money, double cost) {
  std::vector<double> sums{-cost};
  for (const geo::YearOfMoney& year : money.years) sums.push_back(year.cumulative);
  return sums;
}

std::vector<geo::Point> money_line(const Plot& plot, const std::vector<double>& sums) {
  std::vector<geo::Point> points;
  for (std::size_t i = 0; i < sums.size(); ++i)
    points.push_back(
        {plot.x(static_cast<double>(i) / static_cast<double>(sums.size() - 1)), plot.y(sums[i])});
  return points;
}

std::string money_text(const Economics& e, const Currency& currency) {
  const geo::CashFlow& money = e.main().money;
  const std::string sum = "Nach " + std::to_string(money.years.size()) + " Jahren stehen " +
                          number(money.years.empty() ? -e.cost : money.years.back().cumulative) + " " +
                          std::string(currency.name) + ". ";
  return sum + (money.payback_years ? "Bezahlt nach " + number(*money.payback_years, 1) + " Jahren."
                                    : "In dieser Zeit nicht bezahlt.");
}

void year_labels(Plot& plot, int years, double y) {
  const int step = years > 20 ? 10 : 5;
  for (int year = 0; year <= years; year += step)
    plot.label("label middle", {plot.x(static_cast<double>(year) / years), y}, std::to_string(year));
}

}  // namespace

std::string day_chart(const geo::YearBalance& year, std::size_t season) {
  const geo::SeasonDay& day = year.seasons[season];
  const std::string name = kSeasonNames[season];
  Plot plot({400, 200, 38, 8, 22, 24}, "tag-" + std::to_string(season + 1), "Mittlerer Tag im " + name,
            "Erzeugung " + number(daily_kwh(day.generation), 1) + " kWh, Verbrauch " +
                number(daily_kwh(day.consumption), 1) + " kWh, davon sofort vom Dach " +
                number(daily_kwh(day.direct), 1) + " kWh am Tag.");
  plot.scale(0, highest_kw(year));
  plot.label("label strong", {plot.x(0), 13}, name);
  plot.label("label end", {plot.x(1), 13}, "kW");
  for (int hour = 0; hour <= 24; hour += 6)
    plot.label("label middle", {plot.x(hour / 24.0), 194}, std::to_string(hour));
  plot.area("series-1 soft", down_to_zero(plot, day_line(plot, day.generation)));
  plot.area("series-3 soft", down_to_zero(plot, day_line(plot, day.direct)));
  plot.line("series-1", day_line(plot, day.generation));
  plot.line("series-2", day_line(plot, day.consumption));
  plot.base_line();
  return plot.bytes();
}

std::string month_chart(const geo::YearBalance& year) {
  const double w = 1.0 / 12;
  double most = 0;
  for (const geo::EnergyBalance& month : year.months)
    most = std::max({most, month.generation, month.consumption});
  Plot plot({440, 250, 44, 6, 24, 24}, "monate", "Erzeugung und Verbrauch nach Monaten",
            "Links in jedem Monat die Erzeugung, rechts der Verbrauch, in kWh. Die Zahlen stehen darunter.");
  plot.scale(0, most);
  plot.label("label", {2, 12}, "kWh");
  for (std::size_t month = 0; month < 12; ++month) {
    const double left = plot.x((static_cast<double>(month) + 0.12) * w);
    const double width = (plot.x(w) - plot.x(0)) * 0.36;
    stacked_bar(plot, left, width, where_to(year.months[month]));
    stacked_bar(plot, left + width + 1.5, width, where_from(year.months[month]));
    plot.label("label middle", {plot.x((static_cast<double>(month) + 0.5) * w), 243},
               std::string(1, "JFMAMJJASOND"[month]));
  }
  plot.base_line();
  return plot.bytes();
}

std::string split_chart(const geo::EnergyBalance& b) {
  Plot plot({440, 158, 2, 2, 0, 0}, "aufteilung", "Wohin der Strom geht und woher er kommt",
            "Erzeugung " + number(b.generation) + " kWh: sofort genutzt " + number(b.direct) +
                ", in den Speicher " + number(b.charged) + ", eingespeist " + number(b.fed_in) +
                ". Verbrauch " + number(b.consumption) + " kWh: sofort vom Dach " + number(b.direct) +
                ", aus dem Speicher " + number(b.discharged) + ", aus dem Netz " + number(b.drawn) + ".");
  lying_bar(plot, 24, "Erzeugung", b.generation, where_to(b));
  lying_bar(plot, 106, "Verbrauch", b.consumption, where_from(b));
  return plot.bytes();
}

std::string money_chart(const Economics& e, const Currency& currency) {
  const auto main = money_over_years(e.main().money, e.cost);
  const auto low = money_over_years(e.low.money, e.cost), high = money_over_years(e.high.money, e.cost);
  double least = 0, most = 0;
  for (const auto* sums : {&main, &low, &high}) {
    least = std::min(least, *std::min_element(sums->begin(), sums->end()));
    most = std::max(most, *std::max_element(sums->begin(), sums->end()));
  }
  Plot plot({440, 260, 62, 10, 24, 38}, "geldfluss", "Geldfluss, aufgelaufen", money_text(e, currency));
  plot.scale(least, most);
  plot.label("label", {2, 12}, std::string(currency.name));
  auto band = money_line(plot, low);
  const auto back = money_line(plot, high);
  band.insert(band.end(), back.rbegin(), back.rend());
  plot.area("band", band);
  plot.base_line();
  plot.line("series-2", money_line(plot, main));
  const int years = static_cast<int>(main.size()) - 1;
  year_labels(plot, years, 238);
  plot.label("label middle", {plot.x(0.5), 254}, "Jahre");
  if (const auto paid = e.main().money.payback_years)
    plot.root().circle({plot.x(*paid / years), plot.y(0)}, 6).set("class", "mark series-3");
  return plot.bytes();
}

}  // namespace http
