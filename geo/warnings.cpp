#include "geo/warnings.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <optional>
#include <utility>

#include "geo/drawing/german_text.hpp"
#include "geo/german_words.hpp"
#include "geo/missing_heights.hpp"
#include "geo/shapes/plane_geometry.hpp"

namespace geo {
namespace {

constexpr int kOldAfter_years = 7;
constexpr int kFewCells = 20;
constexpr float kLowestBuilding_m = 1.5;  // as in roof detection with footprints
constexpr int kFewestKnown = 8;           // cells
constexpr double kBuiltShare = 0.25;      // a tree beside the building site is no building
constexpr double kHouse_m2 = 40;          // a shed without a surface is no loss
constexpr double kRounding = 1e-3;        // of a module's yield, as in recommend()
constexpr double kLeastLikely_kwh = 100;

int this_year() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  return utc.tm_year + 1900;
}

std::string listed_numbers(const std::vector<int>& numbers) {
  std::vector<std::string> words;
  for (const int number : numbers) words.push_back(std::to_string(number));
  return listed(words);
}

/// Share of the footprint's cells with data that rise above the ground as a building does; none when too few
/// have data.
std::optional<double> share_high(const Polygon& footprint, const Grid<float>& dsm,
                                 const Grid<float>& terrain) {
  int known = 0, high = 0;
  const Box box = bounding_box(footprint.outer);
  for (int row = std::max(0, dsm.row_of(box.max_y)); row <= std::min(dsm.height - 1, dsm.row_of(box.min_y));
       ++row)
    for (int col = std::max(0, dsm.col_of(box.min_x)); col <= std::min(dsm.width - 1, dsm.col_of(box.max_x));
         ++col) {
      const float height_m = dsm.at(col, row) - terrain.at(col, row);
      if (std::isnan(height_m) || !contains(footprint, dsm.centre(col, row))) continue;
      ++known;
      high += height_m >= kLowestBuilding_m;
    }
  if (known < kFewestKnown) return {};
  return static_cast<double>(high) / known;
}

std::string which_buildings(const std::vector<int>& numbers) {
  return numbers.size() == 1 ? "Gebäude " + listed_numbers(numbers) + " ist"
                             : "Die Gebäude " + listed_numbers(numbers) + " sind";
}

std::string which_surfaces(const std::vector<int>& numbers, const std::string& one,
                           const std::string& several) {
  return numbers.size() == 1 ? "Fläche " + listed_numbers(numbers) + " " + one
                             : "Die Flächen " + listed_numbers(numbers) + " " + several;
}

}  // namespace

std::vector<std::string> site_warnings(const Site& site, const Property& property, CellKind cells) {
  std::vector<std::string> warnings;
  // The first is that of the place itself; others only cast shade.
  const auto model = std::find_if(site.sources.begin(), site.sources.end(),
                                  [](const Source& source) { return source.kind == "dsm"; });
  if (model != site.sources.end() && model->year && this_year() - *model->year >= kOldAfter_years)
    warnings.push_back("Das Höhenmodell stammt aus dem Jahr " + std::to_string(*model->year) +
                       "; spätere Um- und Neubauten sind nicht enthalten.");
  if (cells == CellKind::single_return && !site.cell_height_stated)
    warnings.emplace_back(
        "Die Zellen des Höhenmodells sehen aus wie einzelne Laserpunkte. Sind es die höchsten, sind die "
        "Dachflächen zu groß, im Mittel um 11 bis 17 %.");
  if (cells == CellKind::resampled)
    warnings.emplace_back(
        "Die Höhen sind offenbar in ein anderes Gitter umgerechnet und dabei geglättet worden; schmale "
        "Dachflächen können fehlen. "
        "Genauer sind die Daten im Gitter des Herausgebers.");
  if (site.terrain_contradiction)
    warnings.push_back(*site.terrain_contradiction);
  else if (!site.dtm)
    warnings.emplace_back(
        "Zu diesem Ort liegt kein Geländemodell vor; die Geländehöhe wurde aus dem Oberflächenmodell "
        "abgeleitet.");
  if (!property.parcel)
    warnings.emplace_back(
        site.footprints.empty()
            ? "Zu diesem Ort liegen weder Grundstücke noch Gebäudeumrisse vor; das Gebäude wurde aus "
              "den Höhen bestimmt und kann Nachbargebäude einschließen."
            : "Zu diesem Ort liegen keine Grundstücke vor; die Gebäude wurden nach ihrem Abstand zur "
              "Adresse gewählt.");
  for (std::string& warning : unknown_shade_warnings(site)) warnings.push_back(std::move(warning));
  return warnings;
}

std::vector<std::string> building_warnings(const std::vector<Building>& buildings,
                                           const std::vector<RoofSurface>& surfaces, const Grid<float>& dsm,
                                           const Grid<float>& terrain) {
  std::vector<int> newer, unread;
  for (std::size_t i = 0; i < buildings.size(); ++i) {
    if (!buildings[i].from_footprints || buildings[i].footprint.outer.size() < 3) continue;
    const int number = static_cast<int>(i) + 1;
    const auto high = share_high(buildings[i].footprint, dsm, terrain);
    const bool bare = std::none_of(surfaces.begin(), surfaces.end(),
                                   [&](const RoofSurface& surface) { return surface.building == number; });
    if (high && *high < kBuiltShare)
      newer.push_back(number);
    else if (high && bare && area(buildings[i].footprint) >= kHouse_m2)
      unread.push_back(number);
  }
  std::vector<std::string> warnings;
  if (!newer.empty())
    warnings.push_back(
        which_buildings(newer) +
        " in den Höhendaten nicht zu sehen und vermutlich neuer als diese; Flächen dort fehlen.");
  if (!unread.empty())
    warnings.push_back(
        which_buildings(unread) +
        " in den Höhendaten zu sehen, ohne dass eine Dachfläche zu erkennen ist; Flächen dort fehlen.");
  return warnings;
}

std::vector<std::string> surface_warnings(const std::vector<RoofSurface>& surfaces) {
  std::vector<int> small, overgrown;
  for (const RoofSurface& surface : surfaces) {
    if (surface.fit.cells < kFewCells) small.push_back(surface.id);
    if (surface.fit.below_vegetation) overgrown.push_back(surface.id);
  }
  std::vector<std::string> warnings;
  if (!small.empty())
    warnings.push_back(which_surfaces(small, "beruht", "beruhen") +
                       " auf wenigen Höhenpunkten; Neigung und Ausrichtung sind dort weniger genau.");
  if (!overgrown.empty())
    warnings.push_back(which_surfaces(overgrown, "liegt", "liegen") +
                       " zum Teil unter Bäumen; ihr Umriss ist dort unsicher.");
  return warnings;
}

std::vector<std::string> design_warnings(const Totals& totals, const AnalysisInput& input) {
  // Nobody's house uses so little. Whoever writes 4.500 for four and a half thousand would not notice.
  if (input.consumption_kwh < kLeastLikely_kwh)
    return {"Ein Jahresverbrauch von " + german_number(input.consumption_kwh, 1) +
            " kWh ist sehr klein. Der Punkt trennt Dezimalen, nicht Tausender."};
  if (totals.design_modules == 0 || totals.design_modules >= totals.modules_possible) return {};
  const double yield_kwh = totals.design_yield_kwh.value_or(0);
  const double short_kwh = input.consumption_kwh - yield_kwh;
  if (short_kwh <= kRounding * yield_kwh / totals.design_modules) return {};
  return {"Die Auslegung bleibt um " + std::to_string(std::lround(std::ceil(short_kwh))) +
          " kWh im Jahr unter dem Verbrauch, obwohl weitere Module Platz haben: Für ein einzelnes Modul wird "
          "keine weitere Fläche belegt."};
}

}  // namespace geo
