#include "geo/offices/name_pattern.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace geo::offices {
namespace {

constexpr std::size_t kLongestName = 500;
constexpr int kMostSteps = 20'000;  // of the search; a name of several {*} costs its length for each
constexpr std::size_t kMostDigits = 9;
constexpr int kWidest = 9;
constexpr std::array<std::string_view, 15> kFieldNames{"E",     "N",     "year",  "years", "date",
                                                       "day",   "month", "key",   "id",    "*",
                                                       "min_x", "min_y", "max_x", "max_y", "today"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool in_id(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '-';
}
std::size_t leading(std::string_view text, bool (*fits)(char)) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), fits) - text.begin());
}
int number_in(std::string_view digits) {
  int value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}
bool is_year(int year) { return year >= 1990 && year <= 2100; }

/// Takes a stretch of the name for a field; false when it cannot be one.
bool take(std::string_view field, std::string_view value, NameFields& fields) {
  if (field == "E") return fields.east = number_in(value), true;
  if (field == "N") return fields.north = number_in(value), true;
  if (field == "key") return fields.key = value, true;
  if (field == "id") return fields.id = value, true;
  if (field == "year" || field == "years") {
    const int year = number_in(value.substr(value.size() - 4));
    fields.date = year * 10000 + fields.date % 10000;
    return is_year(year);
  }
  if (field == "date") return fields.date = number_in(value), is_year(fields.date / 10000);
  if (field == "month") return fields.date += number_in(value) * 100, number_in(value) <= 12;
  if (field == "day") return fields.date += number_in(value), number_in(value) <= 31;
  return field == "*";
}

/// The lengths that a field may have at the beginning of a text, the longest first.
std::vector<std::size_t> lengths_of(std::string_view field, int width, std::string_view text) {
  const std::size_t digits = leading(text, is_digit);
  const auto exactly = [&](std::size_t n) {
    return digits >= n ? std::vector{n} : std::vector<std::size_t>{};
  };
  if (field == "year") return exactly(4);
  if (field == "date") return exactly(8);
  if (field == "day" || field == "month") return exactly(2);
  if (field == "years") {
    const bool span =
        digits == 4 && text.size() >= 9 && text[4] == '-' && leading(text.substr(5), is_digit) >= 4;
    return span ? std::vector<std::size_t>{9} : exactly(4);
  }
  if ((field == "E" || field == "N") && width > 0) return exactly(static_cast<std::size_t>(width));
  std::size_t most = std::min(digits, kMostDigits), least = 1;
  if (field == "id") most = leading(text, in_id);
  if (field == "*") {
    most = std::min(text.find('/'), text.size());
    least = 0;
  }
  std::vector<std::size_t> lengths;
  for (std::size_t n = most + 1; n-- > least;) lengths.push_back(n);
  return lengths;
}

std::string number_text(double value, int width) {
  std::array<char, 40> text{};
  const bool whole = value == std::floor(value);
  std::snprintf(text.data(), text.size(), whole ? "%0*.0f" : "%0*.3f", width, value);
  return text.data();
}

std::string value_of(std::string_view field, int width, const NameFields& fields, const Box& tile,
                     std::string_view today) {
  if (field == "E") return number_text(std::abs(fields.east.value_or(0)), width);
  if (field == "N") return number_text(std::abs(fields.north.value_or(0)), width);
  if (field == "year" || field == "years") return number_text(fields.year(), 4);
  if (field == "date") return number_text(fields.date, 8);
  if (field == "month") return number_text(fields.date / 100 % 100, 2);
  if (field == "day") return number_text(fields.date % 100, 2);
  if (field == "key") return fields.key;
  if (field == "id") return fields.id;
  if (field == "min_x") return number_text(tile.min_x, 0);
  if (field == "min_y") return number_text(tile.min_y, 0);
  if (field == "max_x") return number_text(tile.max_x, 0);
  if (field == "max_y") return number_text(tile.max_y, 0);
  if (field == "today") return std::string(today);
  return {};
}

}  // namespace

Result<NamePattern> NamePattern::parse(std::string_view text) {
  const auto refused = [&](const std::string& why) {
    return fail(FailureKind::invalid_input, "the pattern \"" + std::string(text) + "\" " + why);
  };
  NamePattern pattern;
  pattern.text_ = text;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t open = rest.find('{');
    if (open != 0) pattern.pieces_.push_back({std::string(rest.substr(0, open))});
    if (open == std::string_view::npos) break;
    const std::size_t close = rest.find('}', open);
    if (close == std::string_view::npos) return refused("has a brace that is not closed");
    std::string_view field = rest.substr(open + 1, close - open - 1);
    int width = 0;
    if (const std::size_t colon = field.find(':'); colon != std::string_view::npos) {
      width = number_in(field.substr(colon + 1));
      if (width < 1 || width > kWidest) return refused("has a width that is not 1 to 9");
      field = field.substr(0, colon);
    }
    if (std::find(kFieldNames.begin(), kFieldNames.end(), field) == kFieldNames.end())
      return refused("has a field {" + std::string(field) + "} that is not known");
    pattern.pieces_.push_back({std::string(field), true, width});
    rest = rest.substr(close + 1);
  }
  return pattern;
}

bool NamePattern::asks(std::string_view field) const {
  return std::any_of(pieces_.begin(), pieces_.end(),
                     [&](const Piece& piece) { return piece.is_field && piece.text == field; });
}

bool NamePattern::match_from(std::size_t at, std::string_view rest, NameFields& fields, int& steps) const {
  if (++steps > kMostSteps) return false;
  if (at == pieces_.size()) return rest.empty();
  const Piece& piece = pieces_[at];
  if (!piece.is_field)
    return rest.starts_with(piece.text) && match_from(at + 1, rest.substr(piece.text.size()), fields, steps);
  for (const std::size_t length : lengths_of(piece.text, piece.width, rest)) {
    NameFields tried = fields;
    if (!take(piece.text, rest.substr(0, length), tried)) continue;
    if (!match_from(at + 1, rest.substr(length), tried, steps)) continue;
    fields = tried;
    return true;
  }
  return false;
}

std::optional<NameFields> NamePattern::match(std::string_view name) const {
  if (name.size() > kLongestName) return {};
  NameFields fields;
  int steps = 0;
  if (!match_from(0, name, fields, steps)) return {};
  return fields;
}

std::string NamePattern::fill(const NameFields& fields, const Box& tile, std::string_view today) const {
  std::string name;
  for (const Piece& piece : pieces_)
    name += piece.is_field ? value_of(piece.text, piece.width, fields, tile, today) : piece.text;
  return name;
}

}  // namespace geo::offices
