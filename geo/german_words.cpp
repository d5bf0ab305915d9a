#include "geo/german_words.hpp"

#include <array>
#include <cmath>

namespace geo {

std::string compass_point(double azimuth_deg) {
  static constexpr std::array<const char*, 8> kPoints{"Nord", "Nordost", "Ost",  "Südost",
                                                      "Süd",  "Südwest", "West", "Nordwest"};
  return kPoints[static_cast<std::size_t>(std::lround((azimuth_deg + 180) / 45)) % kPoints.size()];
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " und " : ", ";
    text += words[i];
  }
  return text;
}

}  // namespace geo
