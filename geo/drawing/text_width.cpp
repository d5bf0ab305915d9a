#include "geo/drawing/text_width.hpp"

#include <array>
#include <sstream>

namespace geo {
namespace {

// Advance widths of DejaVu Sans 2.37 from space to tilde, in units of 1/2048 of the size (the font's own
// table).
constexpr std::array<short, 95> kAdvance{
    651,  821,  942,  1716, 1303, 1946, 1597, 563,  799,  799,  1024, 1716, 651,  739,  651,  690,
    1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 690,  690,  1716, 1716, 1716, 1087,
    2048, 1401, 1405, 1430, 1577, 1294, 1178, 1587, 1540, 604,  604,  1343, 1141, 1767, 1532, 1612,
    1235, 1612, 1423, 1300, 1251, 1499, 1401, 2025, 1403, 1251, 1403, 799,  690,  799,  1716, 1024,
    1024, 1255, 1300, 1126, 1300, 1260, 721,  1300, 1298, 569,  569,  1186, 569,  1995, 1298, 1253,
    1300, 1300, 842,  1067, 803,  1298, 1212, 1675, 1212, 1212, 1075, 1303, 690,  1303, 1716};
constexpr double kUnits = 2048;
constexpr double kOther = 1401;  // letters with marks; wider than nearly all of them
constexpr double kBold = 1.15;   // the bold font's letters against these

/// The longest beginning of a word, whole characters and at least one, that fits.
std::string_view beginning(std::string_view word, double width, double size, Weight weight) {
  std::size_t end = 0;
  do {
    std::size_t next = end + 1;
    while (next < word.size() && (static_cast<unsigned char>(word[next]) & 0xC0) == 0x80) ++next;
    if (end > 0 && text_width(word.substr(0, next), size, weight) > width) break;
    end = next;
  } while (end < word.size());
  return word.substr(0, end);
}

}  // namespace

double text_width(std::string_view utf8, double size, Weight weight) {
  double units = 0;
  for (const char c : utf8) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7F)
      units += kAdvance[byte - 0x20];
    else if ((byte & 0xC0) == 0xC0)  // the first byte of a longer character
      units += kOther;
  }
  return units / kUnits * size * (weight == Weight::bold ? kBold : 1);
}

std::vector<std::string> wrapped(std::string_view utf8, double width, double size, Weight weight) {
  std::istringstream words{std::string(utf8)};
  std::vector<std::string> lines;
  for (std::string word; words >> word;) {
    if (!lines.empty() && text_width(lines.back() + " " + word, size, weight) <= width) {
      lines.back() += " " + word;
      continue;
    }
    for (std::string_view rest = word; !rest.empty();) {
      const std::string_view part = beginning(rest, width, size, weight);
      lines.emplace_back(part);
      rest.remove_prefix(part.size());
    }
  }
  return lines;
}

}  // namespace geo
