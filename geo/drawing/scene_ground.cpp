#include "geo/drawing/scene_ground.hpp"

#include <algorithm>
#include <cmath>

#include "geo/data/height_models.hpp"
#include "geo/drawing/outline_algebra.hpp"
#include "geo/drawing/picture_area.hpp"
#include "geo/drawing/scene_system.hpp"
#include "geo/property/terrain.hpp"
#include "geo/shapes/shape_algebra.hpp"

namespace geo {
namespace {

constexpr double kSkirt_m = 60;      // deriving a terrain needs open ground around the houses
constexpr int kMostCells = 220;      // of the ground, along the longer side
constexpr double kSharedRoof = 0.3;  // of a surface's area, from which a footprint is its building
constexpr double kSliver_m = 0.45;   // roofs and footprints differ by eaves: narrower rests are none
constexpr double kSmallestRest_m2 = 3;
constexpr double kCentimetres = 100;

float rounded_to_centimetres(double height) {
  return static_cast<float>(std::round(height * kCentimetres) / kCentimetres);
}

/// Bilinear between cell centres, the outermost ones continued. NaN where a cell has no data.
double height_at(const Grid<float>& grid, Point p) {
  const double u = std::clamp((p.x - grid.west) / grid.cell_m - 0.5, 0.0, grid.width - 1.0);
  const double v = std::clamp((grid.north - p.y) / grid.cell_m - 0.5, 0.0, grid.height - 1.0);
  const int c = std::min(static_cast<int>(u), std::max(0, grid.width - 2));
  const int r = std::min(static_cast<int>(v), std::max(0, grid.height - 2));
  const int c1 = std::min(c + 1, grid.width - 1);
  const int r1 = std::min(r + 1, grid.height - 1);
  const double upper = grid.at(c, r) * (1 - (u - c)) + grid.at(c1, r) * (u - c);
  const double lower = grid.at(c, r1) * (1 - (u - c)) + grid.at(c1, r1) * (u - c);
  return upper * (1 - (v - r)) + lower * (v - r);
}

class GroundReader {
 public:
  GroundReader(const Catalogue& catalogue, const RoofAnalysis& analysis, const SceneFrame& frame,
               const RunControl& control, PropertyScene& scene)
      : catalogue_(catalogue), analysis_(analysis), frame_(frame), control_(control), scene_(scene) {}

  Result<void> read() {
    const auto window = map_window(analysis_.crs_wkt, scene_.centre, scene_.area, kSkirt_m);
    if (!window) return tl::make_unexpected(window.error());
    if (auto done = read_heights(*window); !done) return done;
    take_buildings();
    add_other_roofs();
    return {};
  }

 private:
  Result<Grid<float>> window_of(DataKind kind, const Bounds& window) {
    const auto models = HeightModels::around(catalogue_, kind, scene_.centre, control_);
    if (!models) return tl::make_unexpected(models.error());
    if (models->empty()) return Grid<float>{};
    auto read = models->read(analysis_.crs_wkt, window, kFinestCell_m, control_);
    if (!read) return tl::make_unexpected(read.error());
    for (const DataSet* set : read->used) scene_.sources.push_back(source_of(*set));
    return std::move(read->heights);
  }

  Result<void> read_heights(const Bounds& window) {
    auto dsm = window_of(DataKind::dsm, window);
    if (!dsm) return tl::make_unexpected(dsm.error());
    const auto dtm = window_of(DataKind::dtm, window);
    if (!dtm) return tl::make_unexpected(dtm.error());
    if (dsm->values.empty())
      return fail(FailureKind::internal, "no surface model covers the analysed surfaces");
    dsm_ = std::move(*dsm);
    const Grid<float> terrain =
        dtm->values.empty() ? derive_terrain(dsm_, control_) : terrain_on(dsm_, *dtm, control_);
    const Bounds& area = scene_.area;
    const double longer = std::max(area.east - area.west, area.north - area.south);
    const double cell = std::max(dsm_.cell_m, longer / kMostCells);
    scene_.ground = Grid<float>(static_cast<int>(std::ceil((area.east - area.west) / cell)),
                                static_cast<int>(std::ceil((area.north - area.south) / cell)), area.west,
                                area.north, cell);
    for (int row = 0; row < scene_.ground.height; ++row)
      for (int col = 0; col < scene_.ground.width; ++col) {
        const double z = height_at(terrain, frame_.to_map(scene_.ground.centre(col, row)));
        if (std::isnan(z)) return fail(FailureKind::internal, "the ground of the property is unknown");
        scene_.ground.at(col, row) = rounded_to_centimetres(z);
      }
    return {};
  }

  /// The analysis has decided which buildings are the property's.
  void take_buildings() {
    for (const Polygon& building : analysis_.footprints)
      if (carries_a_surface(building)) scene_.buildings.push_back(frame_.to_scene(building));
    from_footprints_ = !scene_.buildings.empty();
    if (!from_footprints_) {
      scene_.buildings = united_outlines(surfaces_in_scene());
      return;
    }
    for (const Source& source : analysis_.sources)
      if (source.kind == name_of(DataKind::buildings) || source.kind == name_of(DataKind::parcels))
        scene_.sources.push_back(source);
  }

  bool carries_a_surface(const Polygon& shape) const {
    return std::any_of(analysis_.surfaces.begin(), analysis_.surfaces.end(), [&](const RoofSurface& surface) {
      double shared_m2 = 0;
      for (const Polygon& part : intersection(shape, surface.outline)) shared_m2 += area_m2(part);
      return shared_m2 >= kSharedRoof * area_m2(surface.outline);
    });
  }

  std::vector<Polygon> surfaces_in_scene() const {
    std::vector<Polygon> out;
    for (const RoofSurface& surface : analysis_.surfaces) out.push_back(frame_.to_scene(surface.outline));
    return out;
  }

  /// What of the footprints no surface covers, as high as the surface model has it in the middle.
  void add_other_roofs() {
    if (!from_footprints_) return;
    for (Polygon& rest : without(scene_.buildings, surfaces_in_scene(), kSliver_m)) {
      if (area_m2(rest) < kSmallestRest_m2) continue;
      if (const double z = median_height(rest); !std::isnan(z))
        scene_.other_roofs.push_back({std::move(rest), rounded_to_centimetres(z)});
    }
  }

  double median_height(const Polygon& shape) const {
    std::vector<float> heights;
    const Bounds box = bounds_of(shape.outer);
    const int columns = static_cast<int>((box.east - box.west) / kSliver_m);
    const int rows = static_cast<int>((box.north - box.south) / kSliver_m);
    for (int row = 0; row <= rows; ++row)
      for (int col = 0; col <= columns; ++col) {
        const Point p{box.west + (col + 0.5) * kSliver_m, box.south + (row + 0.5) * kSliver_m};
        if (!holds(shape, p)) continue;
        const Point map = frame_.to_map(p);
        const int dsm_col = dsm_.col_of(map.x);
        const int dsm_row = dsm_.row_of(map.y);
        if (dsm_.contains(dsm_col, dsm_row) && !std::isnan(dsm_.at(dsm_col, dsm_row)))
          heights.push_back(dsm_.at(dsm_col, dsm_row));
      }
    if (heights.empty()) return kNoData;
    const auto middle = heights.begin() + static_cast<std::ptrdiff_t>(heights.size() / 2);
    std::nth_element(heights.begin(), middle, heights.end());
    return *middle;
  }

  const Catalogue& catalogue_;
  const RoofAnalysis& analysis_;
  const SceneFrame& frame_;
  const RunControl& control_;
  PropertyScene& scene_;
  Grid<float> dsm_;
  bool from_footprints_ = false;
};

}  // namespace

Result<void> read_ground(const Catalogue& catalogue, const RoofAnalysis& analysis, const SceneFrame& frame,
                         const RunControl& control, PropertyScene& scene) {
  return GroundReader(catalogue, analysis, frame, control, scene).read();
}

}  // namespace geo
