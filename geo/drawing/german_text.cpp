#include "geo/drawing/german_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "geo/german_words.hpp"

namespace geo {
namespace {

std::string fixed(double value, int decimals) {
  if (!std::isfinite(value)) return "0";
  std::array<char, 400> digits;  // the largest double has 309
  const auto [end, error] =
      std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed, decimals);
  std::string text(digits.data(), error == std::errc{} ? end : digits.data());
  if (text.starts_with('-') && text.find_first_not_of("-0.") == std::string::npos) text.erase(0, 1);
  return text;
}

bool holds_text(const std::string& whole, const std::string& part) {
  return whole.find(part) != std::string::npos;
}

void append_once(std::vector<std::string>& list, const std::string& text) {
  if (!text.empty() && std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
}

std::string joined(const std::vector<std::string>& list) {
  std::string all;
  for (const std::string& text : list) all += (all.empty() ? "" : "; ") + text;
  return all;
}

}  // namespace

std::string german_day(std::chrono::year_month_day day) {
  return std::to_string(static_cast<unsigned>(day.day())) + "." +
         std::to_string(static_cast<unsigned>(day.month())) + "." +
         std::to_string(static_cast<int>(day.year()));
}

std::string plain_number(double value, int decimals) {
  std::string text = fixed(value, decimals);
  if (!holds_text(text, ".")) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string german_number(double value, int decimals) {
  std::string text = fixed(value, decimals);
  const bool negative = text.starts_with('-');
  if (negative) text.erase(0, 1);
  std::size_t point = text.find('.');
  if (point == std::string::npos)
    point = text.size();
  else
    text[point] = ',';
  for (std::size_t i = point; i > 3; i -= 3) text.insert(i - 3, ".");
  return std::string(negative ? "−" : "").append(text);
}

std::string direction_name(double tilt_deg, double azimuth_deg) {
  return tilt_deg < kFlat_deg ? "flach" : compass_point(azimuth_deg);
}

std::string attribution_line(const std::vector<Source>& sources) {
  std::vector<std::string> lines;
  for (const Source& source : sources) {
    std::string line = !source.attribution.empty() ? source.attribution
                       : !source.provider.empty()  ? source.provider
                                                   : source.name;
    if (!line.empty() && !source.licence.empty() && !holds_text(line, source.licence))
      line += " (" + source.licence + ")";
    append_once(lines, line);
  }
  const std::string line = joined(lines);
  if (line.empty() || line.ends_with("Daten bearbeitet")) return line.empty() ? line : line + ".";
  return line + (line.ends_with('.') ? "" : ".") + " Daten bearbeitet.";
}

std::string licence_line(const std::vector<Source>& sources) {
  std::vector<std::string> licences;
  for (const Source& source : sources) append_once(licences, source.licence);
  return joined(licences);
}

}  // namespace geo
