#include "geo/sample_region/sample_region.hpp"

#include <boost/geometry/core/exception.hpp>
#include <cmath>
#include <filesystem>

#include "geo/sample_region/cadastral_survey.hpp"
#include "geo/sample_region/catalogue_file.hpp"
#include "geo/sample_region/laser_scan.hpp"
#include "geo/sample_region/orthophoto.hpp"
#include "geo/sample_region/relief.hpp"
#include "geo/sample_region/truth_file.hpp"
#include "geo/sample_region/vector_files.hpp"

namespace geo {
namespace {

namespace fs = std::filesystem;
using namespace sample;

constexpr int kMostAddresses = 5000;
// Walls must not cross each other.
constexpr double kMostSurveyError_m = 0.5, kMostTurn_deg = 5;
constexpr double kModelsAround_m = 150;  // the near horizon needs the surface model around all houses
constexpr double kPhotoAround_m = 60;

/// Whole map metres around all walls.
Box area_around(const Scene& scene, const PlaceFrame& frame, double distance_m) {
  const Scene::Extent& e = scene.walls_extent();
  Box area;
  for (const double x : {e.x0, e.x1})
    for (const double y : {e.y0, e.y1}) area.add(frame.from_true({x, y}));
  return {std::floor(area.min_x - distance_m), std::floor(area.min_y - distance_m),
          std::ceil(area.max_x + distance_m), std::ceil(area.max_y + distance_m)};
}

/// The first failure of a row of writers; later ones are not called.
template <class... Step>
Result<void> in_turn(Step&&... steps) {
  Result<void> result;
  ((result = steps(), result.has_value()) && ...);
  return result;
}

Result<void> write_models(const SampleRegionOptions& options, const Scene& scene, const PlaceFrame& frame) {
  const auto models = scanned(scene, frame, area_around(scene, frame, kModelsAround_m), options);
  if (!models) return tl::make_unexpected(models.error());
  const fs::path dir = options.out_dir;
  return in_turn([&] { return write_heights(dir / "dsm.tif", options.crs, models->surface); },
                 [&] { return write_heights(dir / "dtm.tif", options.crs, models->terrain); });
}

Result<void> write_photo(const SampleRegionOptions& options, const Scene& scene, const Settlement& settlement,
                         const PlaceFrame& frame) {
  const auto image = orthophoto(scene, settlement, frame, area_around(scene, frame, kPhotoAround_m));
  if (!image) return tl::make_unexpected(image.error());
  return write_image(fs::path(options.out_dir) / "orthophoto.tif", options.crs, *image);
}

Result<void> write_all(const SampleRegionOptions& options, const PlaceNames& names, const PlaceFrame& frame) {
  const Terrain terrain(options.seed, names.base_m);
  Settlement settlement = build_settlement(options.seed, options.addresses, names, terrain);
  plant(settlement, options.seed, terrain);
  const Scene scene(settlement, terrain);
  const fs::path dir = options.out_dir;
  const std::vector<Polygon> walls = surveyed_walls(settlement, options.seed, options.survey);
  return in_turn(
      [&] { return write_buildings(dir / "buildings.gpkg", options.crs, settlement, walls, frame); },
      [&] { return write_parcels(dir / "parcels.gpkg", options.crs, settlement, frame); },
      [&] { return write_addresses(dir / "addresses.csv", settlement, names, frame); },
      [&] {
        return write_truth(dir / "truth.json", options, settlement, roof_patches(settlement), names, frame);
      },
      [&] { return write_models(options, scene, frame); },
      [&] { return write_photo(options, scene, settlement, frame); },
      [&] { return write_heights(dir / "relief.tif", options.crs, relief(terrain, frame)); },
      [&] { return write_catalogue(dir / "geodata.json", names.place, options.cell_m); });
}

}  // namespace

Result<void> write_sample_region(const SampleRegionOptions& options) {
  const PlaceNames* names = place_names_for(options.crs);
  if (!names)
    return fail(FailureKind::invalid_input,
                "the sample region comes in EPSG:25832, EPSG:3035 and EPSG:2056, not in " + options.crs);
  if (options.addresses < 1 || options.addresses > kMostAddresses)
    return fail(FailureKind::invalid_input, "the sample region has 1 to 5000 addresses");
  const auto [corner_m, turn_deg] = options.survey;
  if (!(corner_m >= 0 && corner_m <= kMostSurveyError_m && turn_deg >= 0 && turn_deg <= kMostTurn_deg))
    return fail(FailureKind::invalid_input, "footprints have survey errors of 0 to 0.5 m and 0 to 5 degrees");
  if (options.cell_m != 1 && options.cell_m != 0.5)
    return fail(FailureKind::invalid_input, "the sample region's height models have cells of 1 or 0.5 m");
  std::error_code error;
  fs::create_directories(options.out_dir, error);
  if (!fs::is_directory(options.out_dir, error))
    return fail(FailureKind::invalid_input, options.out_dir + ": is not a folder and cannot be made one");
  const auto frame = PlaceFrame::create(options.crs, names->centre);
  if (!frame) return tl::make_unexpected(frame.error());
  try {
    return write_all(options, *names, *frame);
  } catch (const boost::geometry::exception& e) {  // its overlays throw on geometry they cannot resolve
    return fail(FailureKind::internal,
                std::string("the sample region's geometry cannot be built: ") + e.what());
  }
}

}  // namespace geo
