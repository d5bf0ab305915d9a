// Data sets as offices deliver them, and as nobody should: files of one sample region, changed in one respect
// each, and what a run makes of them. Every variant has either the untouched region's result or one clear
// sentence.
#pragma once
#include <gdal_utils.h>
#include <gmock/gmock.h>
#include <ogr_spatialref.h>

#include <cmath>
#include <functional>
#include <optional>
#include <sstream>

#include "geo/data/geodata.hpp"
#include "geo/roof_analysis.hpp"
#include "geo/shapes/box.hpp"
#include "tests/geo/sample_region_files.hpp"
#include "tests/temporary_folder.hpp"

namespace hostile {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;

inline constexpr const char* kCrs = "EPSG:25832";
inline fs::path region() { return sample_test::region(kCrs, geo::Gridding::levelled); }

struct Entry {
  std::string kind, path, more = {};  ///< `more`: further JSON members, each after a comma
};

/// A catalogue that is still to be written, and a folder for its files.
class Draft {
 public:
  Draft() {
    for (const char* kind : {"dsm", "dtm"})
      entries.push_back({kind, (region() / (std::string(kind) + ".tif")).string()});
    for (const char* kind : {"buildings", "parcels"})
      entries.push_back({kind, (region() / (std::string(kind) + ".gpkg")).string()});
    entries.push_back({"relief", (region() / "relief.tif").string()});
    entries.push_back({"addresses", (region() / "addresses.csv").string()});
  }
  std::string file(const std::string& name) const { return folder_.file(name); }
  /// Another file for a kind.
  void use(const std::string& kind, const std::string& path, const std::string& more = {}) {
    drop(kind);
    add(kind, path, more);
  }
  void add(const std::string& kind, const std::string& path, const std::string& more = {}) {
    entries.push_back({kind, path, more});
  }
  void drop(const std::string& kind) {
    std::erase_if(entries, [&](const Entry& entry) { return entry.kind == kind; });
  }
  std::string catalogue() const {
    std::string path = file("geodata.json");
    std::ofstream out(path);
    out << "{\"datasets\": [";
    for (const Entry& entry : entries)
      out << (&entry == &entries.front() ? "" : ",\n") << R"({"kind": ")" << entry.kind << R"(", "name": ")"
          << fs::path(entry.path).filename().string() << R"(", "path": ")" << entry.path << '"' << entry.more
          << "}";
    out << "]}";
    return path;
  }

  std::vector<Entry> entries;

 private:
  test::TemporaryFolder folder_;
};

// ---- the untouched region ------------------------------------------------------------------------------

inline geo::LonLat house() {
  static const geo::LonLat place = [] {
    const auto all = geo::Geodata::load(region() / "geodata.json");
    return all->addresses.near({9, 50}, 90).at(0);
  }();
  return place;
}

inline geo::Result<geo::RoofAnalysis> analysed(const std::string& catalogue) {
  const auto geodata = geo::Geodata::load(catalogue);
  if (!geodata) return tl::make_unexpected(geodata.error());
  return geo::analyse_roof(
      *geodata, {house(), 4500}, [](const geo::AnalysisStep&) {}, geo::RunControl{});
}

inline const geo::RoofAnalysis& untouched() {
  static const geo::RoofAnalysis analysis = *analysed(Draft().catalogue());
  return analysis;
}

/// The box around the house's own surfaces, map metres.
inline geo::Box box_of_house() {
  geo::Box box;
  for (const geo::RoofSurface& surface : untouched().surfaces)
    if (surface.building == 1) box = box.united(geo::bounding_box(surface.outline.outer));
  return box;
}
inline geo::Point middle_of_house() {
  const geo::Box box = box_of_house();
  return {std::round((box.min_x + box.max_x) / 2), std::round((box.min_y + box.max_y) / 2)};
}

// ---- making files --------------------------------------------------------------------------------------

inline std::vector<char*> arguments_of(Strings& words) {
  std::vector<char*> out;
  for (std::string& word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

inline geo::DatasetHandle opened(const std::string& path, unsigned int kind) {
  geo::register_gdal_drivers();
  return geo::DatasetHandle(GDALDataset::Open(path.c_str(), kind | GDAL_OF_READONLY));
}

inline std::string translated(const std::string& from, const std::string& to, Strings options) {
  const auto source = opened(from, GDAL_OF_RASTER);
  auto arguments = arguments_of(options);
  auto* parsed = GDALTranslateOptionsNew(arguments.data(), nullptr);
  GDALDatasetH out = GDALTranslate(to.c_str(), GDALDataset::ToHandle(source.get()), parsed, nullptr);
  GDALTranslateOptionsFree(parsed);
  EXPECT_NE(out, nullptr) << to;
  GDALClose(out);
  return to;
}

inline std::string warped(const std::string& from, const std::string& to, Strings options) {
  const auto source = opened(from, GDAL_OF_RASTER);
  auto arguments = arguments_of(options);
  auto* parsed = GDALWarpAppOptionsNew(arguments.data(), nullptr);
  GDALDatasetH in = GDALDataset::ToHandle(source.get());
  GDALDatasetH out = GDALWarp(to.c_str(), nullptr, 1, &in, parsed, nullptr);
  GDALWarpAppOptionsFree(parsed);
  EXPECT_NE(out, nullptr) << to;
  GDALClose(out);
  return to;
}

inline std::string vector_translated(const std::string& from, const std::string& to, Strings options) {
  const auto source = opened(from, GDAL_OF_VECTOR);
  auto arguments = arguments_of(options);
  auto* parsed = GDALVectorTranslateOptionsNew(arguments.data(), nullptr);
  GDALDatasetH in = GDALDataset::ToHandle(source.get());
  GDALDatasetH out = GDALVectorTranslate(to.c_str(), nullptr, 1, &in, parsed, nullptr);
  GDALVectorTranslateOptionsFree(parsed);
  EXPECT_NE(out, nullptr) << to;
  GDALClose(out);
  return to;
}

struct Form {
  GDALDataType type = GDT_Float32;
  std::string crs = kCrs;
  std::optional<double> nodata = -9999;
  double scale = 1, offset = 0;  ///< as the band states them
  double unit_m = 1;             ///< of the numbers, once scaled
  std::string unit;              ///< as the band names it
  bool south_up = false;
  int bands = 1;
  double skew = 0, uneven = 1;
};

/// Heights as a GeoTIFF of this form.
inline std::string written(const geo::Grid<float>& heights, const std::string& path, const Form& form) {
  geo::register_gdal_drivers();
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GTiff");
  geo::DatasetHandle file(
      driver->Create(path.c_str(), heights.width, heights.height, form.bands, form.type, nullptr));
  const double south = heights.north - heights.height * heights.cell_m;
  const double step = heights.cell_m * form.uneven;
  double transform[6] = {heights.west, heights.cell_m,
                         form.skew,    form.south_up ? south : heights.north,
                         form.skew,    form.south_up ? step : -step};
  file->SetGeoTransform(transform);
  OGRSpatialReference system;
  if (!form.crs.empty() && system.SetFromUserInput(form.crs.c_str()) == OGRERR_NONE)
    file->SetSpatialRef(&system);
  std::vector<double> stored(heights.values.size());
  for (int row = 0; row < heights.height; ++row)
    for (int col = 0; col < heights.width; ++col) {
      const double z = heights.at(col, form.south_up ? heights.height - 1 - row : row);
      stored[heights.index(col, row)] =
          std::isnan(z) ? form.nodata.value_or(-32767) : (z / form.unit_m - form.offset) / form.scale;
    }
  for (int i = 1; i <= form.bands; ++i) {
    GDALRasterBand* band = file->GetRasterBand(i);
    if (form.nodata) band->SetNoDataValue(*form.nodata);
    if (form.scale != 1) band->SetScale(form.scale);
    if (form.offset != 0) band->SetOffset(form.offset);
    if (!form.unit.empty()) band->SetUnitType(form.unit.c_str());
    if (i > 1) std::fill(stored.begin(), stored.end(), 17);  // not heights
    EXPECT_EQ(band->RasterIO(GF_Write, 0, 0, heights.width, heights.height, stored.data(), heights.width,
                             heights.height, GDT_Float64, 0, 0, nullptr),
              CE_None);
  }
  return path;
}

inline const geo::Grid<float>& surface() {
  static const geo::Grid<float> heights = sample_test::heights(region() / "dsm.tif");
  return heights;
}
inline const geo::Grid<float>& ground() {
  static const geo::Grid<float> heights = sample_test::heights(region() / "dtm.tif");
  return heights;
}

/// Heights without those where `lost` holds.
inline geo::Grid<float> without(geo::Grid<float> heights, const std::function<bool(geo::Point)>& lost) {
  for (std::size_t i = 0; i < heights.values.size(); ++i)
    if (lost(heights.centre(i))) heights.values[i] = geo::kNoData;
  return heights;
}

/// The part of a grid between two columns and two rows.
inline geo::Grid<float> part(const geo::Grid<float>& all, int col0, int row0, int col1, int row1) {
  geo::Grid<float> out(col1 - col0, row1 - row0, all.west + col0 * all.cell_m, all.north - row0 * all.cell_m,
                       all.cell_m);
  for (int row = 0; row < out.height; ++row)
    for (int col = 0; col < out.width; ++col) out.at(col, row) = all.at(col0 + col, row0 + row);
  return out;
}

// ---- what is expected ----------------------------------------------------------------------------------

struct Tolerance {
  double tilt_deg, azimuth_deg, area_share;
};
inline constexpr Tolerance kExactly{0.02, 0.1, 0.002}, kNearly{1.2, 4, 0.06}, kRoughly{6, 12, 0.25};

inline double total_area(const geo::RoofAnalysis& analysis) {
  double sum = 0;
  for (const geo::RoofSurface& surface : analysis.surfaces) sum += surface.plan_area_m2;
  return sum;
}

/// A line for each.
inline std::string as_text(const std::vector<geo::RoofSurface>& surfaces) {
  std::ostringstream out;
  for (const geo::RoofSurface& s : surfaces)
    out << "\n  " << s.name << ": tilt " << s.tilt_deg << ", azimuth " << s.azimuth_deg << ", ridge "
        << s.ridge_height_m.value_or(NAN) << ", " << s.plan_area_m2 << " m2";
  return out.str();
}

/// The untouched region's surfaces: their area together, and every large one in its tilt and azimuth.
inline void expect_untouched(const geo::RoofAnalysis& found, const Tolerance& tolerance) {
  constexpr double kLarge_m2 = 20;
  ASSERT_FALSE(untouched().surfaces.empty());
  const double area = total_area(untouched());
  EXPECT_NEAR(total_area(found), area, tolerance.area_share * area);
  int large = 0;
  for (const geo::RoofSurface& wanted : untouched().surfaces) {
    if (wanted.plan_area_m2 < kLarge_m2) continue;
    ++large;
    const bool there =
        std::any_of(found.surfaces.begin(), found.surfaces.end(), [&](const geo::RoofSurface& s) {
          const double turn = std::abs(std::remainder(s.azimuth_deg - wanted.azimuth_deg, 360.0));
          const bool height =
              s.ridge_height_m.has_value() &&
              std::abs(*s.ridge_height_m - *wanted.ridge_height_m) < 0.15 + tolerance.area_share * 10;
          return std::abs(s.tilt_deg - wanted.tilt_deg) <= tolerance.tilt_deg &&
                 turn <= tolerance.azimuth_deg && height;
        });
    EXPECT_TRUE(there) << as_text({wanted}) << "\nis none of" << as_text(found.surfaces);
  }
  EXPECT_GT(large, 0);
}

inline bool is_one_sentence(const std::string& text) {
  return text.size() > 10 && text.size() < 400 && text.find('\n') == std::string::npos;
}

struct Outcome {
  enum class Kind { same, refused, no_roof, fails } kind = Kind::same;
  Tolerance tolerance = kExactly;
  std::string says = {};   ///< part of the sentence, or of a warning where there is a result
  std::string names = {};  ///< the file name of a source that must be there
};
inline Outcome same(Tolerance tolerance = kExactly, std::string warns = {}, std::string names = {}) {
  return {Outcome::Kind::same, tolerance, std::move(warns), std::move(names)};
}
inline Outcome refused(std::string says) { return {Outcome::Kind::refused, {}, std::move(says)}; }
inline Outcome no_roof(std::string says) { return {Outcome::Kind::no_roof, {}, std::move(says)}; }
/// Fails at the start or in the run: GDAL decides which.
inline Outcome fails() { return {Outcome::Kind::fails}; }

struct Variant {
  const char* name;
  std::function<void(Draft&)> change;
  Outcome outcome;
};
inline void PrintTo(const Variant& variant, std::ostream* out) { *out << variant.name; }
inline std::string name_of(const testing::TestParamInfo<Variant>& info) { return info.param.name; }

inline void expect_result(const geo::Result<geo::RoofAnalysis>& analysis, const Outcome& wanted) {
  using testing::Contains;
  ASSERT_TRUE(analysis) << analysis.error().text;
  expect_untouched(*analysis, wanted.tolerance);
  if (!wanted.says.empty()) {
    EXPECT_THAT(analysis->warnings, Contains(testing::HasSubstr(wanted.says)));
  }
  if (!wanted.names.empty()) {
    EXPECT_THAT(analysis->sources, Contains(testing::Field(&geo::Source::name, wanted.names)).Times(1));
  }
}

inline void expect_sentence(const geo::Failure& failure, const Outcome& wanted) {
  EXPECT_TRUE(is_one_sentence(failure.text)) << failure.text;
  EXPECT_THAT(failure.text, testing::HasSubstr(wanted.says));
  EXPECT_NE(failure.kind, geo::FailureKind::internal) << failure.text;
  EXPECT_EQ(failure.kind == geo::FailureKind::no_roof, wanted.kind == Outcome::Kind::no_roof) << failure.text;
}

inline void expect_outcome(const Variant& variant) {
  Draft draft;
  variant.change(draft);
  if (testing::Test::HasFailure()) return;
  const std::string catalogue = draft.catalogue();
  const Outcome& wanted = variant.outcome;
  const auto loaded = geo::Geodata::load(catalogue);
  if (wanted.kind == Outcome::Kind::refused) {
    ASSERT_FALSE(loaded);
    expect_sentence(loaded.error(), wanted);
    return;
  }
  if (wanted.kind == Outcome::Kind::fails && !loaded) return expect_sentence(loaded.error(), wanted);
  ASSERT_TRUE(loaded) << loaded.error().text;
  const auto analysis = analysed(catalogue);
  if (wanted.kind == Outcome::Kind::same) return expect_result(analysis, wanted);
  ASSERT_FALSE(analysis);
  expect_sentence(analysis.error(), wanted);
}

}  // namespace hostile
