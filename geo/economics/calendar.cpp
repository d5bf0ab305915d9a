#include "geo/economics/calendar.hpp"

#include <algorithm>
#include <chrono>

namespace geo {
namespace {

using std::chrono::April, std::chrono::December, std::chrono::January, std::chrono::March,
    std::chrono::November;
using std::chrono::days;
using std::chrono::May, std::chrono::August, std::chrono::September, std::chrono::October;
using std::chrono::month_day;
using std::chrono::sys_days;
using std::chrono::year_month_day;

/// Easter Sunday. Method: Butcher (1876), as given by Meeus (1991), "Astronomical Algorithms", chapter 8.
sys_days easter(int year) {
  const int a = year % 19, b = year / 100, c = year % 100;
  const int g = (8 * b + 13) / 25;
  const int h = (19 * a + b - b / 4 - g + 15) % 30;
  const int l = (32 + 2 * (b % 4) + 2 * (c / 4) - h - c % 4) % 7;
  const int m = (a + 11 * h + 22 * l) / 451;
  const int of_march = h + l - 7 * m + 22;  // beyond 31 it is April
  return sys_days(std::chrono::year(year) / March / 1) + days(of_march - 1);
}

struct Holidays {
  std::vector<month_day> fixed;
  std::vector<int> after_easter;  ///< days
};

Holidays holidays_of(std::string_view country) {
  constexpr int kGoodFriday = -2, kEasterMonday = 1, kAscension = 39, kWhitMonday = 50, kCorpusChristi = 60;
  if (country == "DE")
    return {{January / 1, May / 1, October / 3, December / 25, December / 26},
            {kGoodFriday, kEasterMonday, kAscension, kWhitMonday}};
  if (country == "AT")
    return {{January / 1, January / 6, May / 1, August / 15, October / 26, November / 1, December / 8,
             December / 25, December / 26},
            {kEasterMonday, kAscension, kWhitMonday, kCorpusChristi}};
  if (country == "CH")
    return {{January / 1, August / 1, December / 25, December / 26},
            {kGoodFriday, kEasterMonday, kAscension, kWhitMonday}};
  return {};
}

Season season_of(month_day day) {
  if (day >= November / 1 || day <= March / 20) return Season::winter;
  return day >= May / 15 && day <= September / 14 ? Season::summer : Season::transition;
}

bool is_holiday(sys_days day, sys_days easter_sunday, const Holidays& holidays) {
  const year_month_day date(day);
  const month_day of_year(date.month(), date.day());
  return std::any_of(holidays.fixed.begin(), holidays.fixed.end(),
                     [&](month_day fixed) { return fixed == of_year; }) ||
         std::any_of(holidays.after_easter.begin(), holidays.after_easter.end(),
                     [&](int after) { return easter_sunday + days(after) == day; });
}

DayType type_of(sys_days day, bool holiday) {
  const std::chrono::weekday weekday(day);
  if (holiday || weekday == std::chrono::Sunday) return DayType::sunday;
  const year_month_day date(day);
  const bool eve =
      date.month() == December && (date.day() == std::chrono::day(24) || date.day() == std::chrono::day(31));
  return eve || weekday == std::chrono::Saturday ? DayType::saturday : DayType::workday;
}

}  // namespace

std::vector<Day> days_of_year(int year, std::string_view country) {
  using std::chrono::last, std::chrono::Sunday;
  const std::chrono::year y(year);
  const sys_days first(y / January / 1), next((y + std::chrono::years(1)) / January / 1);
  // Directive 2000/84/EC; Switzerland follows it.
  const sys_days forward(y / March / Sunday[last]), back(y / October / Sunday[last]);
  const sys_days easter_sunday = easter(year);
  const Holidays holidays = holidays_of(country);
  std::vector<Day> out;
  for (sys_days day = first; day < next; day += days(1)) {
    const year_month_day date(day);
    const auto last_of_month = unsigned{year_month_day(sys_days(y / date.month() / last)).day()};
    out.push_back({.of_year = static_cast<int>((day - first).count()) + 1,
                   .month = static_cast<int>(unsigned{date.month()}) - 1,
                   .of_month = static_cast<int>(unsigned{date.day()}) - 1,
                   .days_in_month = static_cast<int>(last_of_month),
                   .season = season_of({date.month(), date.day()}),
                   .type = type_of(day, is_holiday(day, easter_sunday, holidays)),
                   .summer_time = day >= forward && day < back});
  }
  return out;
}

}  // namespace geo
