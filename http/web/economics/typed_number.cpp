#include "http/web/economics/typed_number.hpp"

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <boost/algorithm/string/trim.hpp>
#include <charconv>
#include <regex>

#include "geo/drawing/german_text.hpp"

namespace http {

namespace {

/// ASCII: one minus, one blank for every mark that parts thousands (no-break spaces; the Swiss apostrophes),
/// and none around it.
std::string plainly_written(std::string number) {
  boost::replace_all(number, "\u2212", "-");
  for (const char* mark : {"\u00a0", "\u202f", "\u2009", "\u2019", "'"})
    boost::replace_all(number, mark, " ");
  boost::trim(number);
  return number;
}

}  // namespace

std::optional<double> typed_number(std::string_view text, bool grouped) {
  constexpr std::size_t kLongest = 24;
  if (text.size() > kLongest) return {};
  static const std::regex in_groups(R"([-]?[1-9]\d{0,2}(\.\d{3})+(,\d+)?)"), plain(R"([-]?\d+([.,]\d+)?)");
  static const std::regex spaced(R"([-]?\d{1,3}( \d{3})+([.,]\d+)?)");
  std::string number = plainly_written(std::string(text));
  const bool has_groups = std::regex_match(number, in_groups);
  if (has_groups && (grouped || number.find(',') != std::string::npos))
    std::erase(number, '.');
  else if (std::regex_match(number, spaced))
    std::erase(number, ' ');
  else if (!std::regex_match(number, plain))
    return {};
  std::replace(number.begin(), number.end(), ',', '.');
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc{} || end != number.data() + number.size()) return {};
  return value;
}

std::string typable(double value) {
  std::string text = geo::plain_number(value, 4);
  std::replace(text.begin(), text.end(), '.', ',');
  return text;
}

std::string trimmed(std::string_view text) {
  constexpr std::size_t kRead = 4096;  // a longer one is cut anyway
  return boost::trim_copy(std::string(text.substr(0, kRead)));
}

std::string shortened(std::string text) {
  std::size_t most = 40;
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
  text.resize(most);
  return text;
}

}  // namespace http
