#include "geo/drawing/scene_ground.hpp"

#include <algorithm>
#include <cmath>

#include "geo/data/catalogue.hpp"
#include "geo/drawing/outline_algebra.hpp"
#include "geo/shapes/shape_algebra.hpp"

namespace geo {
namespace {

constexpr int kMostCells = 220;       // of the ground, along the longer side
constexpr double kSharedRoof = 0.3;   // of a surface's area: a footprint that holds this much carries it
constexpr double kSliver_m = 0.45;    // roofs overhang footprints: narrower rests are no roofs
constexpr double kSampling_m = 0.45;  // finer than any cell that is read
constexpr double kSmallestRest_m2 = 3;

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

class GroundMaker {
 public:
  GroundMaker(const RoofAnalysis& analysis, const RunGround& ground, const SceneFrame& frame,
              PropertyScene& scene)
      : analysis_(analysis), ground_(ground), frame_(frame), scene_(scene) {}

  Result<void> make() {
    name_sources({DataKind::dsm, DataKind::dtm});
    if (auto done = take_terrain(); !done) return done;
    take_buildings();
    add_other_roofs();
    return {};
  }

 private:
  Result<void> take_terrain() {
    const Box& area = scene_.area;
    const double longer = std::max(area.max_x - area.min_x, area.max_y - area.min_y);
    const double cell = std::max(ground_.terrain.cell_m, longer / kMostCells);
    scene_.ground = Grid<float>(static_cast<int>(std::ceil((area.max_x - area.min_x) / cell)),
                                static_cast<int>(std::ceil((area.max_y - area.min_y) / cell)), area.min_x,
                                area.max_y, cell);
    for (int row = 0; row < scene_.ground.height; ++row)
      for (int col = 0; col < scene_.ground.width; ++col) {
        const double z = height_at(ground_.terrain, frame_.to_map(scene_.ground.centre(col, row)));
        if (std::isnan(z)) return fail(FailureKind::internal, "the ground of the property is unknown");
        scene_.ground.at(col, row) = rounded_to_centimetres(z);
      }
    return {};
  }

  void take_buildings() {
    for (const Polygon& building : ground_.footprints)
      if (carries_a_surface(building)) scene_.buildings.push_back(frame_.to_scene(building));
    from_footprints_ = !scene_.buildings.empty();
    if (from_footprints_)
      name_sources({DataKind::buildings, DataKind::parcels});
    else
      scene_.buildings = united_outlines(surfaces_in_scene());
  }

  void name_sources(std::initializer_list<DataKind> kinds) {
    for (const DataKind kind : kinds)
      for (const Source& source : analysis_.sources)
        if (source.kind == name_of(kind)) add_sources(scene_.sources, {source});
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

  /// The parts of the footprints that no surface covers, at the surface model's median height there.
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
    const Grid<float>& dsm = ground_.surface;
    const Box box = bounding_box(shape.outer);
    const int columns = static_cast<int>((box.max_x - box.min_x) / kSampling_m);
    const int rows = static_cast<int>((box.max_y - box.min_y) / kSampling_m);
    for (int row = 0; row <= rows; ++row)
      for (int col = 0; col <= columns; ++col) {
        const Point p{box.min_x + (col + 0.5) * kSampling_m, box.min_y + (row + 0.5) * kSampling_m};
        if (!holds(shape, p)) continue;
        const Point map = frame_.to_map(p);
        const int dsm_col = dsm.col_of(map.x);
        const int dsm_row = dsm.row_of(map.y);
        if (dsm.contains(dsm_col, dsm_row) && !std::isnan(dsm.at(dsm_col, dsm_row)))
          heights.push_back(dsm.at(dsm_col, dsm_row));
      }
    if (heights.empty()) return kNoData;
    const auto middle = heights.begin() + static_cast<std::ptrdiff_t>(heights.size() / 2);
    std::nth_element(heights.begin(), middle, heights.end());
    return *middle;
  }

  const RoofAnalysis& analysis_;
  const RunGround& ground_;
  const SceneFrame& frame_;
  PropertyScene& scene_;
  bool from_footprints_ = false;
};

}  // namespace

Result<void> add_ground(const RoofAnalysis& analysis, const RunGround& ground, const SceneFrame& frame,
                        PropertyScene& scene) {
  return GroundMaker(analysis, ground, frame, scene).make();
}

}  // namespace geo
