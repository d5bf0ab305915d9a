#include "benchmarks/geo/city_system.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "geo/data/coordinate_system.hpp"
#include "geo/data/gdal.hpp"
#include "geo/lower_case.hpp"

namespace bench {
namespace {

/// The last number of the part that begins with EPSG: numbers before it are versions (EPSG:6.12:2056), parts
/// after it are of the heights. Empty when there is none.
std::string epsg_number(std::string_view name) {
  const std::string small = geo::lower_case(name);
  const std::size_t begin = small.find("epsg");
  if (begin == std::string::npos) return {};
  std::string part = small.substr(begin);
  part = part.substr(0, part.find_first_of(",&+*; \t\r\n"));
  return part.substr(part.find_last_not_of("0123456789") + 1);
}

/// The names that German and Swiss offices give their systems. The part before the star is of the positions.
/// Hessen leaves the first words out.
std::string number_of_office_name(std::string_view name) {
  constexpr std::string_view kBegin = "urn:adv:crs:";
  if (name.starts_with(kBegin)) name.remove_prefix(kBegin.size());
  name = name.substr(0, name.find('*'));
  for (const auto& [own, number] : {std::pair<std::string_view, const char*>{"ETRS89_UTM31", "25831"},
                                    {"ETRS89_UTM32", "25832"},
                                    {"ETRS89_UTM33", "25833"},
                                    {"CH1903", "21781"},
                                    {"CH1903+", "2056"}})
    if (name == own) return number;
  return {};
}

}  // namespace

geo::Result<std::string> city_system(const std::string& name) {
  const auto refuse = [&](const char* why) {
    return geo::fail(geo::FailureKind::invalid_input, "its system of coordinates, " + name + ", " + why);
  };
  std::string number = epsg_number(name);
  if (number.empty()) number = number_of_office_name(name);
  if (number.empty()) return refuse("is not known here");
  const geo::GdalErrors quiet;
  const auto system = geo::coordinate_system("EPSG:" + number);
  if (!system) return refuse("is not known here");
  if (!system->in_map_metres || system->height_unit_m != 1) return refuse("has other units than metres");
  return system->wkt;
}

}  // namespace bench
