// The days of a year as the standard load profiles tell them apart.
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

namespace geo {

/// Winter from 1 November to 20 March, summer from 15 May to 14 September.
enum class Season { winter, summer, transition };
inline constexpr std::size_t kSeasons = 3;
enum class DayType { workday, saturday, sunday };
inline constexpr std::size_t kDayTypes = 3;

struct Day {
  int of_year = 1;   ///< from 1
  int month = 0;     ///< 0 = January
  int of_month = 0;  ///< from 0
  int days_in_month = 31;
  Season season = Season::winter;
  DayType type = DayType::workday;
  bool summer_time = false;  ///< legal time at noon is UTC+2, otherwise UTC+1
};

/// The year's days. Holidays are Sundays: those of the whole country; for "CH" those of most cantons. 24 and
/// 31 December are Saturdays unless they are Sundays. `country`: "AT", "DE", "CH"; without holidays for any
/// other.
std::vector<Day> days_of_year(int year, std::string_view country);

}  // namespace geo
