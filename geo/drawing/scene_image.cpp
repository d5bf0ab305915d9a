#include "geo/drawing/scene_image.hpp"

#include <cpl_string.h>
#include <gdal_priv.h>
#include <gdal_utils.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "geo/data/gdal.hpp"
#include "geo/data/kept_open.hpp"
#include "geo/data/place_frame.hpp"
#include "geo/data/set_heights.hpp"
#include "geo/drawing/german_text.hpp"
#include "geo/drawing/image_codec.hpp"
#include "geo/grid/grid_window.hpp"
#include "geo/shapes/ellipsoid.hpp"

namespace geo {
namespace {

constexpr double kFinest_m = 0.05;
constexpr double kReliefPixel_m = 0.2;
constexpr int kMostPixels = 2400;  // along the longer side
constexpr int kSceneQuality = 90;
constexpr int kDarkestRelief = 85;
constexpr std::uint8_t kPlainGrey = 190;  // where nothing is known
constexpr std::uint8_t kCovered = 255;
constexpr double kReliefSkirt_m = 20;  // around the area, so that it is lit to its edges

DatasetHandle as_handle(GDALDatasetH data) { return DatasetHandle(GDALDataset::FromHandle(data)); }

DatasetHandle translated(GDALDataset& source, const CPLStringList& arguments) {
  auto* options = GDALTranslateOptionsNew(const_cast<CPLStringList&>(arguments).List(), nullptr);
  if (!options) return nullptr;
  int unused = 0;
  DatasetHandle out = as_handle(GDALTranslate("", GDALDataset::ToHandle(&source), options, &unused));
  GDALTranslateOptionsFree(options);
  return out;
}

/// Lays a data set into the scene: its pixels are placed in the scene's metres. So nothing is projected, for
/// which PROJ would search its database at every house anew.
bool lay_into_scene(GDALDataset& data, const LocalMap& map) {
  double pixels[6];
  if (data.GetGeoTransform(pixels) != CE_None) return false;
  const Eigen::Matrix2d to_scene = map.map_per_true.inverse();
  const Eigen::Vector2d corner =
      to_scene * Eigen::Vector2d(pixels[0] - map.origin.x, pixels[3] - map.origin.y);
  Eigen::Matrix2d steps;
  steps << pixels[1], pixels[2], pixels[4], pixels[5];
  steps = to_scene * steps;
  double placed[6] = {corner.x(), steps(0, 0), steps(0, 1), corner.y(), steps(1, 0), steps(1, 1)};
  return data.SetSpatialRef(nullptr) == CE_None && data.SetGeoTransform(placed) == CE_None;
}

/// The three bands that a picture is made of, laid into the scene. A palette is looked up, a single band is
/// grey. A fourth one is left out whatever it calls itself: GDAL's tools mark infrared as transparency.
/// `map`: of the source's system around the scene's centre.
DatasetHandle as_colours(GDALDataset& source, const LocalMap& map) {
  CPLStringList arguments;
  arguments.AddString("-of");
  arguments.AddString("VRT");
  const bool palette = source.GetRasterBand(1)->GetColorTable() != nullptr;
  if (palette) {
    arguments.AddString("-expand");
    arguments.AddString("rgb");
  }
  const int count = source.GetRasterCount();
  std::vector<int> bands = count >= 3 ? std::vector{1, 2, 3} : std::vector{1, 1, 1};
  if (palette) bands.clear();
  for (const int band : bands) {
    arguments.AddString("-b");
    arguments.AddString(std::to_string(band).c_str());
  }
  DatasetHandle colours = translated(source, arguments);
  return colours && lay_into_scene(*colours, map) ? std::move(colours) : nullptr;
}

/// What is drawn, from the bottom to the top.
using Layers = std::vector<DatasetHandle>;

/// The scene's area in pixels.
struct Canvas {
  Box area;
  int width = 0, height = 0;
  bool shrinks = false;  ///< a pixel is much larger than the source's cells
};

Canvas canvas_of(const Box& area, double cell_m, double pixel_m) {
  const double longer_m = std::max(area.max_x - area.min_x, area.max_y - area.min_y);
  pixel_m = std::max({pixel_m, kFinest_m, longer_m / kMostPixels});
  const auto pixels = [pixel_m](double m) { return std::max(1, static_cast<int>(std::lround(m / pixel_m))); };
  return {area, pixels(area.max_x - area.min_x), pixels(area.max_y - area.min_y), pixel_m > 1.5 * cell_m};
}

struct Painted {
  RgbImage image;
  std::vector<std::uint8_t> cover;  ///< of each pixel: 0 where no layer has data, 255 where one has

  bool whole() const {
    return std::all_of(cover.begin(), cover.end(), [](std::uint8_t c) { return c == kCovered; });
  }
  /// Whether a quarter of the middle third has data, where the property lies.
  bool shows_middle() const {
    std::int64_t sum = 0, pixels = 0;
    for (int y = image.height / 3; y <= 2 * image.height / 3 && y < image.height; ++y)
      for (int x = image.width / 3; x <= 2 * image.width / 3 && x < image.width; ++x, ++pixels)
        sum += cover[static_cast<std::size_t>(y) * image.width + x];
    return 4 * sum > pixels * kCovered;
  }
  /// Where this one has gaps the other is seen, which has the same size.
  void lay_over(const RgbImage& beneath) {
    for (std::size_t i = 0; i < image.rgb.size(); ++i) {
      const int share = cover[i / 3];
      image.rgb[i] =
          static_cast<std::uint8_t>((image.rgb[i] * share + beneath.rgb[i] * (kCovered - share)) / kCovered);
    }
  }
};

/// Turns the layers to true north.
Result<Painted> paint(const Layers& layers, const Canvas& canvas) {
  const auto& [area, width, height, shrinks] = canvas;
  CPLStringList a;
  for (const std::string& word :
       {std::string("-of"), std::string("MEM"), std::string("-te"), plain_number(area.min_x, 4),
        plain_number(area.min_y, 4), plain_number(area.max_x, 4), plain_number(area.max_y, 4),
        std::string("-ts"), std::to_string(width), std::to_string(height), std::string("-r"),
        std::string(shrinks ? "average" : "cubic"), std::string("-dstalpha"), std::string("-et"),
        std::string("0.05")})
    a.AddString(word.c_str());
  auto* options = GDALWarpAppOptionsNew(a.List(), nullptr);
  std::vector<GDALDatasetH> in;
  for (const DatasetHandle& layer : layers) in.push_back(GDALDataset::ToHandle(layer.get()));
  int error = 0;
  const DatasetHandle out =
      as_handle(GDALWarp("", nullptr, static_cast<int>(in.size()), in.data(), options, &error));
  GDALWarpAppOptionsFree(options);
  if (!out || error) return fail(FailureKind::data_unreachable, "the aerial image or relief cannot be read");
  const auto pixels = static_cast<std::size_t>(width) * height;
  Painted painted{{width, height, std::vector<std::uint8_t>(3 * pixels)}, std::vector<std::uint8_t>(pixels)};
  constexpr int kCoverBand = 4;
  std::array<int, 3> bands{1, 2, 3};
  if (out->RasterIO(GF_Read, 0, 0, width, height, painted.image.rgb.data(), width, height, GDT_Byte, 3,
                    bands.data(), 3, 3 * static_cast<GSpacing>(width), 1, nullptr) != CE_None ||
      out->GetRasterBand(kCoverBand)
              ->RasterIO(GF_Read, 0, 0, width, height, painted.cover.data(), width, height, GDT_Byte, 0, 0,
                         nullptr) != CE_None)
    return fail(FailureKind::internal, "the warped image cannot be read");
  return painted;
}

RgbImage plain(const Canvas& canvas) {
  const auto pixels = static_cast<std::size_t>(canvas.width) * canvas.height;
  return {canvas.width, canvas.height, std::vector<std::uint8_t>(3 * pixels, kPlainGrey)};
}

/// From kDarkestRelief to white: a relief's own black would swallow the lines and hatchings drawn over it.
void lighten(RgbImage& relief) {
  for (std::uint8_t& value : relief.rgb)
    value = static_cast<std::uint8_t>(kDarkestRelief + value * (255 - kDarkestRelief) / 255);
}

Result<PictureBackground> background_of(BackgroundKind kind, const RgbImage& image) {
  auto jpeg = encode_jpeg(image, kSceneQuality);
  if (!jpeg) return tl::make_unexpected(jpeg.error());
  return PictureBackground{kind, image.width, image.height, std::move(*jpeg)};
}

Result<DatasetHandle> colours_of(const std::string& path, const DataSet& set, const LocalMap& map) {
  const auto raster = kept_raster(path, set.tiled && set.crs.empty() ? set.crs_wkt : set.crs);
  if (!raster) return tl::make_unexpected(raster.error());
  if ((*raster)->dataset().GetRasterBand(1)->GetRasterDataType() != GDT_Byte)
    return fail(FailureKind::invalid_input, path + ": an aerial image has 8 bits a colour");
  DatasetHandle colours = as_colours((*raster)->dataset(), map);
  if (!colours) return fail(FailureKind::data_unreachable, path + ": its colours cannot be read");
  return colours;
}

/// A set's files that show some of a window of its own system, the oldest first.
struct Shown {
  std::vector<std::string> paths;
  std::vector<int> years;  ///< the newest first, each once
};
Result<Shown> shown_by(const DataSet& set, const Box& window) {
  if (!set.tiled) return Shown{{set.path}, set.year ? std::vector{*set.year} : std::vector<int>()};
  const auto index = kept_tile_index(set.path, set.crs);
  if (!index) return tl::make_unexpected(index.error());
  const auto tiles = (*index)->touching(window, kMostTiles);
  if (!tiles) return tl::make_unexpected(tiles.error());
  Shown shown;
  for (const Tile& tile : *tiles) {
    std::string path = (*index)->path_of(tile, set.remote);
    if (path.empty()) continue;
    shown.paths.insert(shown.paths.begin(), std::move(path));
    const auto year = tile.year ? tile.year : set.year;
    if (year && std::find(shown.years.begin(), shown.years.end(), *year) == shown.years.end())
      shown.years.push_back(*year);
  }
  return shown;
}

/// Whether a set leaves no place of a window to the sets beneath it, as far as its files say.
bool hides_all(const DataSet& set, const Box& window, GDALDataset& colours) {
  const bool has_gaps = (colours.GetRasterBand(1)->GetMaskFlags() & GMF_ALL_VALID) == 0;
  return !set.tiled && !has_gaps && set.bounds.contains({window.min_x, window.min_y}) &&
         set.bounds.contains({window.max_x, window.max_y});
}

Box box_in(const LocalMap& map, const Box& area) {
  Box box;
  for (const double x : {area.min_x, area.max_x})
    for (const double y : {area.min_y, area.max_y}) box.add(map.at({x, y}));
  return box;
}

/// The sets that show the middle or a corner of the area, in the catalogue's order.
std::vector<const DataSet*> sets_around(const Catalogue& catalogue, LonLat centre, const Box& area) {
  const Eigen::Vector2d degree_m = metres_per_degree(centre.lat_deg);
  std::set<const DataSet*> showing;
  for (const double x : {0.0, area.min_x, area.max_x})
    for (const double y : {0.0, area.min_y, area.max_y})
      for (const DataSet* set : catalogue.covering(
               DataKind::orthophoto, {centre.lon_deg + x / degree_m.x(), centre.lat_deg + y / degree_m.y()}))
        showing.insert(set);
  std::vector<const DataSet*> sets;
  for (const DataSet& set : catalogue.of(DataKind::orthophoto))
    if (showing.contains(&set)) sets.push_back(&set);
  return sets;
}

/// Aerial images of the sets, the first on top.
Result<Painted> photo(const std::vector<const DataSet*>& sets, LonLat centre, const Box& area,
                      std::vector<Source>& sources) {
  Layers layers;
  double cell_m = 0;
  for (const DataSet* set : sets) {
    const auto map = local_map(set->crs_wkt, centre);
    if (!map) continue;
    const Box window = box_in(*map, area);
    const auto shown = shown_by(*set, window);
    if (!shown) return tl::make_unexpected(shown.error());
    Layers of_set;
    for (const std::string& path : shown->paths) {
      auto colours = colours_of(path, *set, *map);
      if (!colours) close_kept(path);
      if (!colours) return tl::make_unexpected(colours.error());
      of_set.push_back(std::move(*colours));
    }
    if (of_set.empty()) continue;
    cell_m = layers.empty() ? set->cell_m : std::min(cell_m, set->cell_m);
    add_sources(sources, sources_of(*set, shown->years));
    layers.insert(layers.begin(), std::make_move_iterator(of_set.begin()),
                  std::make_move_iterator(of_set.end()));
    if (hides_all(*set, window, *layers.front())) break;
  }
  if (layers.empty()) return fail(FailureKind::data_unreachable, "no aerial image shows the place");
  return paint(layers, canvas_of(area, cell_m, cell_m));
}

DatasetHandle hillshade(GDALDataset& heights) {
  CPLStringList a;
  for (const char* word : {"-of", "MEM", "-compute_edges", "-multidirectional", "-z", "1.3"})
    a.AddString(word);
  auto* options = GDALDEMProcessingOptionsNew(a.List(), nullptr);
  int error = 0;
  DatasetHandle out = as_handle(
      GDALDEMProcessing("", GDALDataset::ToHandle(&heights), "hillshade", nullptr, options, &error));
  GDALDEMProcessingOptionsFree(options);
  return error ? nullptr : std::move(out);
}

/// The heights as a data set in memory.
DatasetHandle as_dataset(const Grid<float>& heights) {
  constexpr float kNone = -9999;
  GDALDriver* memory = GetGDALDriverManager()->GetDriverByName("MEM");
  DatasetHandle data(memory->Create("", heights.width, heights.height, 1, GDT_Float32, nullptr));
  if (!data) return nullptr;
  double transform[6] = {heights.west, heights.cell_m, 0, heights.north, 0, -heights.cell_m};
  std::vector<float> values = heights.values;
  std::replace_if(
      values.begin(), values.end(), [](float z) { return std::isnan(z); }, kNone);
  GDALRasterBand* band = data->GetRasterBand(1);
  const bool written = data->SetGeoTransform(transform) == CE_None &&
                       band->SetNoDataValue(kNone) == CE_None &&
                       band->RasterIO(GF_Write, 0, 0, heights.width, heights.height, values.data(),
                                      heights.width, heights.height, GDT_Float32, 0, 0, nullptr) == CE_None;
  return written ? std::move(data) : nullptr;
}

/// Of a scene's surroundings.
Result<RgbImage> relief(const Grid<float>& surface, const LocalMap& map, const Canvas& canvas) {
  const DatasetHandle data = as_dataset(cells_in(surface, box_in(map, canvas.area.grown(kReliefSkirt_m))));
  const DatasetHandle shade = data ? hillshade(*data) : nullptr;
  Layers layers;
  layers.push_back(shade ? as_colours(*shade, map) : nullptr);
  if (!layers.front()) return fail(FailureKind::internal, "the surface model's relief cannot be drawn");
  auto painted = paint(layers, canvas);
  if (!painted) return tl::make_unexpected(painted.error());
  lighten(painted->image);
  painted->lay_over(plain(canvas));
  return std::move(painted->image);
}

}  // namespace

Result<PictureBackground> read_background(const Catalogue& catalogue, const std::string& crs,
                                          const Grid<float>& surface, PropertyScene& scene) {
  const auto map = local_map(crs, scene.centre);
  if (!map) return fail(FailureKind::internal, "the surface model's system has no place for the scene");
  if (const auto aerial = catalogue.covering(DataKind::orthophoto, scene.centre); !aerial.empty()) {
    std::vector<Source> sources;
    auto image = photo(aerial, scene.centre, scene.area, sources);
    if (image && !image->whole()) {
      // A neighbour's set that cannot be read takes nothing from those that can.
      std::vector<Source> of_all;
      auto more = photo(sets_around(catalogue, scene.centre, scene.area), scene.centre, scene.area, of_all);
      if (more) image = std::move(more), sources = std::move(of_all);
    }
    if (image && !image->shows_middle())
      image = fail(FailureKind::data_unreachable, "no aerial image shows the place");
    if (image && !image->whole()) {
      const Canvas canvas{scene.area, image->image.width, image->image.height};
      const auto beneath = relief(surface, *map, canvas);
      image->lay_over(beneath ? *beneath : plain(canvas));
    }
    if (image) add_sources(scene.sources, sources);
    if (image) return background_of(BackgroundKind::orthophoto, image->image);
  }
  const Canvas canvas = canvas_of(scene.area, surface.cell_m, std::min(kReliefPixel_m, surface.cell_m));
  const auto image = relief(surface, *map, canvas);
  if (!image) return tl::make_unexpected(image.error());
  return background_of(BackgroundKind::relief, *image);
}

}  // namespace geo
