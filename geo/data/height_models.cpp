#include "geo/data/height_models.hpp"

#include <ogr_spatialref.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "geo/data/gap_filling.hpp"
#include "geo/data/set_heights.hpp"
#include "geo/grid/fill_values.hpp"
#include "geo/grid/grid_window.hpp"

namespace geo {
namespace {

constexpr double kAtPlace_m = 25;      // a house around its address
constexpr double kServingShare = 0.5;  // of the cells there
constexpr double kCellsAround = 2;     // beyond the window, for bilinear neighbours

/// Share of the cells around the place that have a height.
Result<double> share_known(const DataSet& set, LonLat place, const RunControl& control) {
  const auto to_map = transformation_from_wgs84(set.crs_wkt);
  Point p{place.lon_deg, place.lat_deg};
  if (!to_map || !to_map->Transform(1, &p.x, &p.y)) return 0;
  const auto cells = heights_of(set, bounding_box({p}), kAtPlace_m, 0, control);
  if (!cells) return tl::make_unexpected(cells.error());
  const auto& values = cells->heights.values;
  const auto known = std::count_if(values.begin(), values.end(), [](float z) { return !std::isnan(z); });
  const double all = std::pow(2 * kAtPlace_m / set.cell_m, 2);
  return std::min(1.0, static_cast<double>(known) / all);
}

/// The first of those covering the place that has heights for half of it, else the one with the most.
Result<const DataSet*> serving_of(const std::vector<const DataSet*>& covering, LonLat place,
                                  const RunControl& control) {
  if (covering.size() == 1) return covering.front();
  const DataSet* best = covering.front();
  double most = 0;
  for (const DataSet* set : covering) {
    const auto share = share_known(*set, place, control);
    if (!share) return tl::make_unexpected(share.error());
    if (*share >= kServingShare) return set;
    if (*share > most) best = set, most = *share;
  }
  return best;
}

bool same_heights(const DataSet& a, const DataSet& b) {
  return a.height_system.empty() || b.height_system.empty() || a.height_system == b.height_system;
}

bool too_coarse(const DataSet& set) { return set.kind == DataKind::dsm && set.cell_m >= kTooCoarse_m; }

/// The cell size of a grid in another system than the model's own.
double round_cell_m(double cell_m) {
  if (cell_m < 0.75) return 0.5;
  return cell_m < 1.5 ? 1 : cell_m;
}

/// The cells that touch the window, laid out as the serving model lays out its own.
Grid<float> frame_of(const DataSet& serving, const std::string& crs, const Box& window, double smallest_m) {
  const bool own = serving.in_map_metres && same_positions(serving.crs_wkt, crs);
  const double cell = std::max(smallest_m, own ? serving.cell_m : round_cell_m(serving.cell_m));
  const Point origin = own ? Point{serving.bounds.min_x, serving.bounds.max_y} : Point{};
  return grid_over(window, origin, cell);
}

/// A model that reaches into a window, and how each lies in the other's system.
struct Reaching {
  const DataSet* set;
  TransformationHandle to_set;  ///< null: the same system
  Box window;                   ///< in the set's system
  Box part;                     ///< of the set, in the window's system
};

std::optional<Reaching> reaching(const DataSet& set, const std::string& crs, const Box& window) {
  if (same_positions(set.crs_wkt, crs))
    return set.bounds.shares_area_with(window) ? std::optional(Reaching{&set, nullptr, window, set.bounds})
                                               : std::nullopt;
  const auto to_set = transformation_between(crs, set.crs_wkt);
  const auto back = transformation_between(set.crs_wkt, crs);
  if (!to_set || !back) return {};
  const auto there = transformed(window, *to_set);
  if (!there || !there->shares_area_with(set.bounds)) return {};
  const Box& b = set.bounds;
  const auto part = transformed({std::max(b.min_x, there->min_x), std::max(b.min_y, there->min_y),
                                 std::min(b.max_x, there->max_x), std::min(b.max_y, there->max_y)},
                                *back);
  if (!part) return {};
  return Reaching{&set, to_set, *there, *part};
}

Box common(const Box& window, const std::vector<Reaching>& models) {
  Box all = models.front().part;
  for (const Reaching& model : models) all = all.united(model.part);
  return {std::max(all.min_x, window.min_x), std::max(all.min_y, window.min_y),
          std::min(all.max_x, window.max_x), std::min(all.max_y, window.max_y)};
}

}  // namespace

Result<HeightModels> HeightModels::around(const Catalogue& catalogue, DataKind kind, LonLat place,
                                          const RunControl& control) {
  HeightModels models;
  models.place_ = place;
  auto covering = catalogue.covering(kind, place);
  if (covering.empty()) return models;
  std::erase_if(covering, [](const DataSet* set) { return too_coarse(*set); });
  if (covering.empty())
    return fail(
        FailureKind::no_roof,
        "Das Höhenmodell dieses Ortes ist zu grob: seine Zellen messen 5 m oder mehr, Dachflächen brauchen "
        "1 m oder feiner.");
  const auto serving = serving_of(covering, place, control);
  if (!serving) return tl::make_unexpected(serving.error());
  models.sets_.push_back(*serving);
  for (const DataSet& set : catalogue.of(kind))
    if (&set != *serving && !too_coarse(set) && same_heights(set, **serving)) models.sets_.push_back(&set);
  return models;
}

std::string HeightModels::working_system() const {
  return serving().in_map_metres ? serving().crs_wkt : local_system(place_);
}

Result<HeightWindow> HeightModels::read(const std::string& crs, const Box& window, double smallest_m,
                                        const RunControl& control) const {
  std::vector<Reaching> models;
  const auto to_wgs84 = transformation_to_wgs84(crs);
  const auto window_deg = to_wgs84 ? transformed(window, *to_wgs84) : std::nullopt;
  if (!window_deg) return fail(FailureKind::internal, "the window has no place on the earth");
  for (const DataSet* set : sets_)
    if (!set->outline_deg.shares_area_with(*window_deg)) {
      continue;  // most of a country's tiles
    } else if (auto model = reaching(*set, crs, window))
      models.push_back(std::move(*model));
  HeightWindow out;
  if (models.empty()) return out;
  out.heights = frame_of(serving(), crs, common(window, models), smallest_m);
  for (const Reaching& model : models) {
    if (!lacks_cells(out.heights)) break;
    const double margin_m = kCellsAround * std::max(model.set->cell_m, smallest_m);
    auto cells = heights_of(*model.set, model.window, margin_m, smallest_m, control);
    if (!cells) return tl::make_unexpected(cells.error());
    drop_fill_values(cells->heights);
    out.tiles.insert(out.tiles.end(), cells->tiles.begin(), cells->tiles.end());
    if (!cells->heights.values.empty() && fill_gaps(out.heights, cells->heights, model.to_set.get(), control))
      out.used.push_back({model.set, cells->years});
  }
  return out;
}

}  // namespace geo
