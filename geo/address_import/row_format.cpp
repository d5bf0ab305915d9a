#include "geo/address_import/row_format.hpp"

#include "geo/lower_case.hpp"

namespace geo {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::optional<std::size_t> column_named(const std::vector<std::string>& columns, std::string_view name) {
  const std::string small = lower_case(name);
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (lower_case(columns[i]) == small) return i;
  return {};
}

std::string whole_number(std::string_view number, std::string_view addition) {
  while (number.size() > 1 && number.front() == '0' && is_digit(number[1])) number.remove_prefix(1);
  std::string whole(number);
  if (addition.empty()) return whole;
  if (!whole.empty() && is_digit(addition.front()))
    whole += addition.find('/') == addition.npos ? '/' : ' ';  // a stairway, a fraction
  return whole += addition;
}

void add_name(House& house, std::string_view name) {
  if (name.empty() || house.town == name) return;
  if (std::find(house.also_in.begin(), house.also_in.end(), name) == house.also_in.end())
    house.also_in.emplace_back(name);
}

}  // namespace geo
