// Height models in every form: broken, odd and legal.
#include <gtest/gtest.h>

#include "geo/drawing/scene_bytes.hpp"
#include "geo/property_analysis.hpp"
#include "tests/geo/hostile_catalogue.hpp"

namespace hostile {
namespace {

std::string file_in_region(const char* name) { return (region() / name).string(); }
const char* const kStated = R"(, "crs": "EPSG:25832")";

/// The surface model in another form.
std::function<void(Draft&)> surface_as(const Form& form, const std::string& more = {}) {
  return
      [form, more](Draft& draft) { draft.use("dsm", written(surface(), draft.file("a.tif"), form), more); };
}
std::function<void(Draft&)> ground_as(const Form& form) {
  return [form](Draft& draft) { draft.use("dtm", written(ground(), draft.file("g.tif"), form)); };
}
std::function<void(Draft&)> translated_surface(const std::string& name, const Strings& options,
                                               const std::string& more = {}) {
  return [=](Draft& draft) {
    draft.use("dsm", translated(file_in_region("dsm.tif"), draft.file(name), options), more);
  };
}
std::function<void(Draft&)> warped_raster(const char* kind, const Strings& options) {
  return [=](Draft& draft) {
    draft.use(kind,
              warped(file_in_region((std::string(kind) + ".tif").c_str()), draft.file("w.tif"), options));
  };
}
/// A file of this text in place of the surface model.
std::function<void(Draft&)> surface_of_text(const std::string& text) {
  return [text](Draft& draft) {
    std::ofstream(draft.file("a.tif")) << text;
    draft.use("dsm", draft.file("a.tif"));
  };
}
std::function<void(Draft&)> surface_without(const std::function<bool(geo::Point)>& lost) {
  return
      [lost](Draft& draft) { draft.use("dsm", written(without(surface(), lost), draft.file("a.tif"), {})); };
}

bool west_of_the_middle(geo::Point p) { return p.x < middle_of_house().x; }
/// The western fifth of the house's box, and all that lies west of it.
bool west_fifth(geo::Point p) {
  const geo::Box box = box_of_house();
  return p.x < box.min_x + (box.max_x - box.min_x) / 5;
}

/// Tiles of the surface model that meet in the middle of the house.
void add_tiles(Draft& draft, bool four, int overlap, const std::string& crs_of_first = kCrs) {
  const geo::Grid<float>& all = surface();
  const geo::Point middle = middle_of_house();
  const int col = all.col_of(middle.x), row = four ? all.row_of(middle.y) : all.height;
  draft.drop("dsm");
  draft.add("dsm", written(part(all, 0, 0, col + overlap, row), draft.file("nw.tif"), {.crs = crs_of_first}));
  draft.add("dsm", written(part(all, col, 0, all.width, row), draft.file("ne.tif"), {}));
  if (!four) return;
  draft.add("dsm", written(part(all, 0, row, col, all.height), draft.file("sw.tif"), {}));
  draft.add("dsm", written(part(all, col, row, all.width, all.height), draft.file("se.tif"), {}));
}

/// Each cell as several smaller ones.
geo::Grid<float> split(const geo::Grid<float>& all, int parts) {
  geo::Grid<float> out(all.width * parts, all.height * parts, all.west, all.north, all.cell_m / parts);
  for (int row = 0; row < out.height; ++row)
    for (int col = 0; col < out.width; ++col) out.at(col, row) = all.at(col / parts, row / parts);
  return out;
}
/// The window around the house, so that fine cells stay few.
geo::Grid<float> around_house(int reach) {
  const geo::Grid<float>& all = surface();
  const geo::Point middle = middle_of_house();
  const int col = all.col_of(middle.x), row = all.row_of(middle.y);
  return part(all, std::max(0, col - reach), std::max(0, row - reach), std::min(all.width, col + reach),
              std::min(all.height, row + reach));
}

/// The surface model around the house with each cell repeated by GDAL, whose default that is.
std::string repeated(Draft& draft, int times) {
  const std::string cell_m = std::to_string(surface().cell_m / times);
  return warped(written(around_house(60), draft.file("coarse.tif"), {}), draft.file("finer.tif"),
                {"-tr", cell_m, cell_m});
}

/// The smaller of two steps in one direction, none where they differ in sign: a wall is no slope.
float limited(float before, float after) {
  if (before * after <= 0) return 0;
  return std::abs(before) < std::abs(after) ? before : after;
}
/// Smaller cells as a finer survey has them: slopes go on within a cell, walls stay where they are (van Leer,
/// 1979). The mean of a cell's parts is the cell.
geo::Grid<float> finer_survey(const geo::Grid<float>& all, int parts) {
  geo::Grid<float> out = split(all, parts);
  const auto at = [&](int col, int row) {
    return all.at(std::clamp(col, 0, all.width - 1), std::clamp(row, 0, all.height - 1));
  };
  for (int row = 0; row < out.height; ++row)
    for (int col = 0; col < out.width; ++col) {
      const int c = col / parts, r = row / parts;
      const float z = at(c, r);
      const auto offset = [&](int i) {
        return (static_cast<float>(i % parts) + 0.5f) / static_cast<float>(parts) - 0.5f;
      };
      out.at(col, row) += offset(col) * limited(z - at(c - 1, r), at(c + 1, r) - z) +
                          offset(row) * limited(z - at(c, r - 1), at(c, r + 1) - z);
    }
  return out;
}

void fine_surface(Draft& draft, int parts) {
  geo::Grid<float> fine = finer_survey(around_house(60), parts);
  std::uint32_t noise = 1;
  for (float& z : fine.values) {  // noise as from image matching: up to 15 cm in every cell
    noise = noise * 1664525u + 1013904223u;
    z += 0.3f * (static_cast<float>(noise >> 16) / 65536.0f - 0.5f);
  }
  draft.use("dsm", written(fine, draft.file("fine.tif"), {}));
}

void masked_surface(Draft& draft) {
  const auto lost = [](geo::Point p) { return west_fifth(p); };
  const std::string path = written(surface(), draft.file("a.tif"), {.nodata = {}});
  CPLSetConfigOption("GDAL_TIFF_INTERNAL_MASK", "YES");
  geo::DatasetHandle file(GDALDataset::Open(path.c_str(), GDAL_OF_RASTER | GDAL_OF_UPDATE));
  file->CreateMaskBand(GMF_PER_DATASET);
  std::vector<GByte> mask;
  for (std::size_t i = 0; i < surface().values.size(); ++i)
    mask.push_back(lost(surface().centre(i)) ? 0 : 255);
  EXPECT_EQ(file->GetRasterBand(1)->GetMaskBand()->RasterIO(GF_Write, 0, 0, surface().width, surface().height,
                                                            mask.data(), surface().width, surface().height,
                                                            GDT_Byte, 0, 0, nullptr),
            CE_None);
  CPLSetConfigOption("GDAL_TIFF_INTERNAL_MASK", nullptr);
  draft.use("dsm", path);
}

void xyz_surface(Draft& draft, bool ascending) {
  const geo::Grid<float> cells = around_house(60);
  std::ofstream out(draft.file("a.xyz"));
  out.precision(10);
  for (int k = 0; k < cells.height; ++k)
    for (int col = 0; col < cells.width; ++col) {
      const int row = ascending ? cells.height - 1 - k : k;
      const geo::Point p = cells.centre(col, row);
      out << p.x << ' ' << p.y << ' ' << cells.at(col, row) << '\n';
    }
  out.close();
  draft.use("dsm", draft.file("a.xyz"), kStated);
}

void cut_short(Draft& draft, double share) {
  const std::string path =
      translated(file_in_region("dsm.tif"), draft.file("a.tif"), {"-co", "COMPRESS=NONE"});
  fs::resize_file(path, static_cast<std::uintmax_t>(share * static_cast<double>(fs::file_size(path))));
  draft.use("dsm", path);
}

/// A terrain model in another system that ends in the middle of the house, and states no nodata.
void half_terrain_elsewhere(Draft& draft) {
  const geo::Grid<float>& all = ground();
  const int col = all.col_of(middle_of_house().x);
  const std::string half = written(part(all, 0, 0, col, all.height), draft.file("half.tif"), {.nodata = {}});
  const std::string turned =
      warped(half, draft.file("turned.tif"),
             {"-t_srs", "EPSG:25833", "-r", "bilinear", "-tr", "1", "1", "-dstnodata", "-9999"});
  const geo::Grid<float> cells = sample_test::heights(turned);
  int inner = 0;  // a part that is known throughout: west of the slanting edge
  while (inner + 1 < cells.width && !std::isnan(cells.at(inner + 1, cells.height / 2))) ++inner;
  const int margin = 40;
  draft.use("dtm",
            written(part(cells, margin, margin, std::max(margin + 2, inner - margin), cells.height - margin),
                    draft.file("g.tif"), {.crs = "EPSG:25833", .nodata = {}}));
}

void two_height_systems(Draft& draft) {
  const geo::Grid<float>& all = surface();
  const int col = all.col_of(middle_of_house().x);
  draft.drop("dsm");
  draft.add("dsm",
            written(part(all, 0, 0, col, all.height), draft.file("w.tif"), {.crs = "EPSG:25832+7837"}));
  draft.add("dsm", written(part(all, col, 0, all.width, all.height), draft.file("e.tif"),
                           {.crs = "EPSG:25832+5783"}));
}

/// What a tool writes where it has nothing, without saying so.
template <class Lost>
auto undeclared(float value, Lost lost) {
  return [value, lost](Draft& draft) {
    geo::Grid<float> heights = without(surface(), lost);
    std::replace_if(
        heights.values.begin(), heights.values.end(), [](float z) { return std::isnan(z); }, value);
    draft.use("dsm", written(heights, draft.file("a.tif"), {.nodata = {}}));
  };
}

std::vector<Variant> systems() {
  return {
      {"ATerrainModelInACompoundSystem", ground_as({.crs = "EPSG:25832+7837"}), same()},
      {"ASurfaceModelInACompoundSystem", surface_as({.crs = "EPSG:25832+7837"}), same()},
      {"BothInCompoundSystems",
       [](Draft& draft) {
         surface_as({.crs = "EPSG:25832+7837"})(draft);
         ground_as({.crs = "EPSG:25832+5783"})(draft);
       },
       same()},
      {"ATerrainModelInTheNextZone",
       warped_raster("dtm", {"-t_srs", "EPSG:25833", "-r", "bilinear", "-tr", "1", "1"}), same(kNearly)},
      {"ATerrainModelInTheNextZoneThatEndsInTheHouseWithoutNodata", half_terrain_elsewhere, same(kRoughly)},
      {"ATerrainModelInDegrees", warped_raster("dtm", {"-t_srs", "EPSG:4258", "-r", "bilinear"}),
       same(kNearly)},
      {"ASurfaceModelInTheNextZone",
       warped_raster("dsm", {"-t_srs", "EPSG:25833", "-r", "cubic", "-tr", "1", "1"}), same(kRoughly)},
      {"ASurfaceModelInLaea", warped_raster("dsm", {"-t_srs", "EPSG:3035", "-r", "cubic", "-tr", "1", "1"}),
       same(kRoughly)},
      {"ASurfaceModelInMercator", warped_raster("dsm", {"-t_srs", "EPSG:3857", "-r", "cubic"}),
       same(kRoughly)},
      {"ASurfaceModelInDegrees", warped_raster("dsm", {"-t_srs", "EPSG:4258", "-r", "cubic"}),
       same(kRoughly)},
      {"ASurfaceModelInFeetOfTheMap",
       warped_raster("dsm",
                     {"-t_srs", "+proj=utm +zone=32 +ellps=GRS80 +towgs84=0,0,0 +units=ft", "-r", "cubic"}),
       same(kRoughly)},
      {"AModelInDegreesBesideOneInMetres",
       [](Draft& draft) {
         draft.add("dsm", warped(file_in_region("dsm.tif"), draft.file("degrees.tif"),
                                 {"-t_srs", "EPSG:4258", "-tr", "0.00003", "0.00003"}));
       },
       same(kExactly, {}, "dsm.tif")},
      {"ACoarseModelInDegreesIsNotTheFinest",
       [](Draft& draft) {
         draft.add("dsm", warped(file_in_region("dsm.tif"), draft.file("degrees.tif"),
                                 {"-t_srs", "EPSG:4258", "-tr", "0.0003", "0.0003"}));
       },
       same()},
      {"ReliefInDegrees", warped_raster("relief", {"-t_srs", "EPSG:4326"}), same()},
      {"ReliefInACompoundSystem",
       [](Draft& draft) {
         draft.use("relief", translated(file_in_region("relief.tif"), draft.file("r.tif"),
                                        {"-a_srs", "EPSG:25832+7837"}));
       },
       same()},
      {"NoSystem", surface_as({.crs = ""}), refused("has no coordinate reference system")},
      {"NoSystemButAStatedOne", surface_as({.crs = ""}, kStated), same()},
      {"AStatedSystemOverAWrongOne", surface_as({.crs = "EPSG:25833"}, kStated), same()},
      {"AStatedSystemThatIsNone", surface_as({.crs = ""}, R"(, "crs": "EPSG:999999")"), refused("crs: ")},
      {"AStatedSystemThatIsNoText", surface_as({.crs = ""}, R"(, "crs": 25832)"),
       refused("crs is not a string")},
      {"AnEngineeringSystem", surface_as({.crs = R"(LOCAL_CS["unnamed",UNIT["metre",1]])"}),
       refused("coordinate reference system")},
      {"AnOldEllipsoidThatDoesNotSayItsDatum",
       surface_as({.crs = "+proj=tmerc +lat_0=0 +lon_0=9 +k=1 +x_0=3500000 +y_0=0 +ellps=bessel +units=m"}),
       refused("does not say its datum")},
      {"DegreesNamedAsMetres", surface_as({.crs = "EPSG:4326"}), refused("does not lie where")},
  };
}

std::vector<Variant> values() {
  return {
      {"MetresNamed", surface_as({.unit = "metre"}), same()},
      {"Feet", surface_as({.unit_m = 0.3048, .unit = "ft"}), same()},
      {"UsSurveyFeet", surface_as({.unit_m = 1200.0 / 3937, .unit = "US survey foot"}), same()},
      {"TheTerrainInFeet", ground_as({.unit_m = 0.3048, .unit = "foot"}), same()},
      {"FeetByTheHeightSystem", surface_as({.crs = "EPSG:25832+6360", .unit_m = 1200.0 / 3937}), same()},
      {"CentimetresAsIntegers",
       surface_as({.type = GDT_Int32, .nodata = -2147483648.0, .unit_m = 0.01, .unit = "cm"}), same(kNearly)},
      {"AnUnknownUnit", surface_as({.unit = "furlong"}), refused("furlong")},
      {"ScaleAndOffset", surface_as({.type = GDT_Int16, .nodata = -32768, .scale = 0.01, .offset = 300}),
       same(kNearly)},
      {"TheTerrainWithScaleAndOffset",
       ground_as({.type = GDT_Int16, .nodata = -32768, .scale = 0.01, .offset = 300}), same(kNearly)},
      {"ScaleAndFeet",
       surface_as({.type = GDT_Int32, .nodata = -1, .scale = 0.01, .unit_m = 0.3048, .unit = "ft"}),
       same(kNearly)},
      {"Float64", surface_as({.type = GDT_Float64}), same()},
      {"Float64WithItsLowestAsNodata", surface_as({.type = GDT_Float64, .nodata = -1.7976931348623157e308}),
       same()},
      {"NoNodata", surface_as({.nodata = {}}), same()},
      {"NanAsNodata", surface_as({.nodata = std::nan("")}), same()},
      {"TheLowestFloatAsNodata", surface_as({.nodata = -3.4028234663852886e38}), same()},
      {"NodataWithMoreDigitsThanTheCells", surface_as({.nodata = -9999.9}), same()},
      {"ZeroAsNodata", surface_as({.nodata = 0}), same()},
      {"ZeroOverAFifthOfTheHouse", undeclared(0, west_fifth), same(kRoughly, "keine Höhendaten")},
      {"MinusNinetyNineOverAFifthOfTheHouse", undeclared(-99, west_fifth),
       same(kRoughly, "keine Höhendaten")},
      {"EightThousandOverAFifthOfTheHouse", undeclared(8888, west_fifth), same(kRoughly, "keine Höhendaten")},
      {"ZeroOverHalfTheHouse", undeclared(0, west_of_the_middle), no_roof("Drittel")},
      {"TheTerrainInFeetThatDoesNotSaySo", ground_as({.unit_m = 0.3048}),
       same(kRoughly, "Das Geländemodell passt nicht")},
      {"TheReliefInDecimetresThatDoesNotSaySo",
       [](Draft& draft) {
         draft.use("relief", translated(file_in_region("relief.tif"), draft.file("r.tif"),
                                        {"-scale", "0", "1000", "0", "10000"}));
       },
       same(kRoughly, "Das Relief der Umgebung passt nicht")},
      {"TwoBands", surface_as({.bands = 2}), same()},
      {"FourBands", surface_as({.bands = 4}), same()},
      {"AMaskOverAFifthOfTheHouse", masked_surface, same(kRoughly, "keine Höhendaten")},
      {"SouthUp", surface_as({.south_up = true}), same()},
      {"TheTerrainSouthUp", ground_as({.south_up = true}), same()},
      {"SouthUpInFeetWithAStatedSystem",
       surface_as({.crs = "", .unit_m = 0.3048, .unit = "ft", .south_up = true}, kStated), same()},
  };
}

std::vector<Variant> tiles() {
  return {
      {"TwoTilesThatMeetInTheHouse", [](Draft& draft) { add_tiles(draft, false, 0); },
       same(kExactly, {}, "nw.tif")},
      {"BothTilesAreNamed", [](Draft& draft) { add_tiles(draft, false, 0); }, same(kExactly, {}, "ne.tif")},
      {"FourTilesThatMeetInTheHouse", [](Draft& draft) { add_tiles(draft, true, 0); },
       same(kExactly, {}, "se.tif")},
      {"TwoTilesThatOverlap", [](Draft& draft) { add_tiles(draft, false, 20); }, same()},
      {"OneOfTheTilesInACompoundSystem", [](Draft& draft) { add_tiles(draft, false, 0, "EPSG:25832+7837"); },
       same()},
      {"TilesInTwoHeightSystemsAreNotMixed", two_height_systems, no_roof("Drittel")},
      {"TheSameModelTwice",
       [](Draft& draft) { draft.add("dsm", written(surface(), draft.file("again.tif"), {})); },
       same(kExactly, {}, "dsm.tif")},
      {"HalfTheHouseWithoutHeights", surface_without(west_of_the_middle), no_roof("Drittel")},
      {"HalfTheHouseWithoutHeightsNorFootprints",
       [](Draft& draft) {
         surface_without(west_of_the_middle)(draft);
         draft.drop("buildings");
         draft.drop("parcels");
       },
       no_roof("denn sie enden an ihm")},
      {"TheModelEndsInTheHouse",
       [](Draft& draft) {
         const geo::Grid<float>& all = surface();
         draft.use("dsm", written(part(all, all.col_of(middle_of_house().x), 0, all.width, all.height),
                                  draft.file("e.tif"), {}));
       },
       no_roof("Höhen")},
      {"AFifthOfTheHouseWithoutHeights", surface_without(west_fifth), same(kRoughly, "keine Höhendaten")},
      {"TheWholeHouseWithoutHeights",
       surface_without([](geo::Point p) { return box_of_house().grown(30).contains(p); }),
       no_roof("Höhendaten")},
      {"TheWholeHouseWithoutHeightsNorFootprints",
       [](Draft& draft) {
         surface_without([](geo::Point p) { return box_of_house().grown(30).contains(p); })(draft);
         draft.drop("buildings");
         draft.drop("parcels");
       },
       no_roof("Höhendaten")},
      {"HolesThatTheNextModelFills",
       [](Draft& draft) {
         surface_without(west_of_the_middle)(draft);
         draft.add("dsm", written(surface(), draft.file("next.tif"), {}));
       },
       same(kExactly, {}, "next.tif")},
      {"AFinerModelWithoutHeightsHere",
       [](Draft& draft) {
         geo::Grid<float> none = split(around_house(60), 2);
         for (float& z : none.values) z = geo::kNoData;
         draft.add("dsm", written(none, draft.file("none.tif"), {}));
       },
       same(kExactly, {}, "dsm.tif")},
      {"HolesThatACoarserModelFills",
       [](Draft& draft) {
         draft.use("dsm", written(without(surface(), west_fifth), draft.file("a.tif"), {}));
         draft.add("dsm", warped(file_in_region("dsm.tif"), draft.file("two.tif"),
                                 {"-tr", "2", "2", "-r", "average"}));
       },
       same(kRoughly, {}, "two.tif")},
      {"PriorityBeforeFineness",
       [](Draft& draft) {
         draft.use("dsm", file_in_region("dsm.tif"), R"(, "priority": 1)");
         draft.add("dsm", written(split(around_house(60), 2), draft.file("fine.tif"), {}));
       },
       same()},
      {"APriorityThatIsNone",
       [](Draft& draft) { draft.use("dsm", file_in_region("dsm.tif"), R"(, "priority": "high")"); },
       refused("priority")},
  };
}

std::vector<Variant> files() {
  const std::function<void(Draft&)> folder = [](Draft& draft) {
    fs::create_directory(draft.file("folder"));
    draft.use("dsm", draft.file("folder"));
  };
  return {
      {"CellsOfFiveMetres", warped_raster("dsm", {"-tr", "5", "5", "-r", "average"}), no_roof("zu grob")},
      {"CellsOfTwentyMetresInDegrees",
       warped_raster("dsm", {"-t_srs", "EPSG:4326", "-tr", "0.0002", "0.0002"}), no_roof("zu grob")},
      {"ACoarseModelBesideAFineOne",
       [](Draft& draft) {
         draft.add("dsm", warped(file_in_region("dsm.tif"), draft.file("ten.tif"), {"-tr", "10", "10"}));
       },
       same()},
      {"EveryCellTwice", [](Draft& draft) { draft.use("dsm", repeated(draft, 2)); }, same(kNearly)},
      {"EveryCellFiveTimes", [](Draft& draft) { draft.use("dsm", repeated(draft, 5)); }, same(kNearly)},
      {"CellsOfAQuarter", [](Draft& draft) { fine_surface(draft, 4); }, same(kNearly)},
      {"CellsOfAFifth", [](Draft& draft) { fine_surface(draft, 5); }, same(kNearly)},
      {"CellsOfATenth", [](Draft& draft) { fine_surface(draft, 10); }, same(kNearly)},
      {"ReliefInCellsOfAMetre", [](Draft& draft) { draft.use("relief", file_in_region("dtm.tif")); },
       refused("relief has cells")},
      {"CloudOptimised", translated_surface("a.tif", {"-of", "COG"}), same()},
      {"StripsInLzwAndBigTiff",
       translated_surface("a.tif", {"-co", "COMPRESS=LZW", "-co", "BIGTIFF=YES", "-co", "TILED=NO"}), same()},
      {"BigEndian", translated_surface("a.tif", {"-co", "ENDIANNESS=BIG"}), same()},
      {"AVirtualRaster", translated_surface("a.vrt", {"-of", "VRT"}), same()},
      {"AnAsciiGridWithAStatedSystem", translated_surface("a.asc", {"-of", "AAIGrid"}, kStated),
       same(kNearly)},
      {"AnAsciiGridWithoutASystem",
       [](Draft& draft) {
         translated_surface("a.asc", {"-of", "AAIGrid"})(draft);
         fs::remove(draft.file("a.prj"));
       },
       refused("coordinate reference system")},
      {"XyzFromTheNorth", [](Draft& draft) { xyz_surface(draft, false); }, same(kNearly)},
      {"XyzFromTheSouth", [](Draft& draft) { xyz_surface(draft, true); }, same(kNearly)},
      {"Rotated", surface_as({.skew = 0.2}), refused("north-up raster with square cells")},
      {"OblongCells", surface_as({.uneven = 1.5}), refused("north-up raster with square cells")},
      {"NoPosition",
       [](Draft& draft) {
         translated_surface("a.png", {"-of", "PNG", "-ot", "UInt16", "-co", "WORLDFILE=NO"}, kStated)(draft);
         fs::remove(draft.file("a.png.aux.xml"));
       },
       refused("north-up raster with square cells")},
      {"PositionInAWorldFileAndAStatedSystem",
       translated_surface("a.tif", {"-co", "PROFILE=BASELINE", "-co", "TFW=YES"}, kStated), same()},
      {"AShadedPictureInTheirPlace", translated_surface("a.tif", {"-ot", "Byte", "-scale"}),
       refused("8 bits a cell")},
      {"CutInTheMiddle", [](Draft& draft) { cut_short(draft, 0.5); }, fails()},
      {"CutInTheHeader", [](Draft& draft) { cut_short(draft, 0.0001); },
       refused("cannot be opened as a raster")},
      {"Empty", surface_of_text(""), refused("cannot be opened as a raster")},
      {"APageThatSaysSorry", surface_of_text("<html><body>404</body></html>"),
       refused("cannot be opened as a raster")},
      {"AFolder", folder, refused("cannot be opened as a raster")},
      {"NotThere", [](Draft& draft) { draft.use("dsm", draft.file("nothing.tif")); },
       refused("cannot be opened as a raster")},
      {"OutlinesInsteadOfHeights", [](Draft& draft) { draft.use("dsm", file_in_region("buildings.gpkg")); },
       refused("cannot be opened as a raster")},
      {"OnlyATerrainModel", [](Draft& draft) { draft.drop("dsm"); }, refused("no surface model")},
      {"NoTerrainModel", [](Draft& draft) { draft.drop("dtm"); }, same(kRoughly, "Geländemodell")},
      {"SomewhereElse",
       [](Draft& draft) {
         geo::Grid<float> moved = surface();
         moved.west += 100'000;
         draft.use("dsm", written(moved, draft.file("a.tif"), {}));
       },
       no_roof("kein Höhenmodell")},
  };
}

class HostileRasters : public testing::TestWithParam<Variant> {};
TEST_P(HostileRasters, HaveTheUntouchedResultOrOneClearSentence) { expect_outcome(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Systems, HostileRasters, testing::ValuesIn(systems()), name_of);
INSTANTIATE_TEST_SUITE_P(Values, HostileRasters, testing::ValuesIn(values()), name_of);
INSTANTIATE_TEST_SUITE_P(Tiles, HostileRasters, testing::ValuesIn(tiles()), name_of);
INSTANTIATE_TEST_SUITE_P(Files, HostileRasters, testing::ValuesIn(files()), name_of);

class HostileScenes : public testing::TestWithParam<Variant> {};

TEST_P(HostileScenes, AreReadLikeTheAnalysisAndNameWhatItNames) {
  Draft draft;
  GetParam().change(draft);
  const auto geodata = geo::Geodata::load(draft.catalogue());
  ASSERT_TRUE(geodata) << geodata.error().text;
  const auto whole = geo::analyse_property(
      *geodata, {house(), 4500}, [](const geo::AnalysisStep&) {}, geo::RunControl{});
  ASSERT_TRUE(whole) << whole.error().text;
  EXPECT_FALSE(whole->scene.empty());
  EXPECT_THAT(whole->analysis.warnings, testing::Not(testing::Contains(testing::HasSubstr("Bilder"))));
  const auto scene = geo::scene_from_bytes(whole->scene);
  ASSERT_TRUE(scene);
  EXPECT_EQ(scene->background.kind, geo::BackgroundKind::relief);
  for (const float z : scene->ground.values) ASSERT_TRUE(z > 100 && z < 3000) << z;
}

INSTANTIATE_TEST_SUITE_P(
    Scenes, HostileScenes,
    testing::Values(
        Variant{"OfATerrainModelInACompoundSystem", ground_as({.crs = "EPSG:25832+7837"}), same()},
        Variant{"OfATerrainModelInTheNextZone",
                warped_raster("dtm", {"-t_srs", "EPSG:25833", "-tr", "1", "1"}), same()},
        Variant{"OfASurfaceModelInDegrees", warped_raster("dsm", {"-t_srs", "EPSG:4258", "-r", "cubic"}),
                same()},
        Variant{"OfTilesThatMeetInTheHouse", [](Draft& draft) { add_tiles(draft, true, 0); }, same()},
        Variant{"OfFeetSouthUp", surface_as({.unit_m = 0.3048, .unit = "ft", .south_up = true}), same()}),
    name_of);

}  // namespace
}  // namespace hostile
