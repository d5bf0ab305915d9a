// Footprints and parcels in every form: broken, odd and legal.
#include <gtest/gtest.h>
#include <ogrsf_frmts.h>

#include <regex>

#include "tests/geo/hostile_catalogue.hpp"

namespace hostile {
namespace {

const std::string kFootprints = "buildings";

std::string region_file(const std::string& kind) { return (region() / (kind + ".gpkg")).string(); }

std::function<void(Draft&)> converted(const std::string& kind, const std::string& name,
                                      const Strings& options, const std::string& more = {}) {
  return [=](Draft& draft) {
    draft.use(kind, vector_translated(region_file(kind), draft.file(name), options), more);
  };
}

using Change = std::function<std::unique_ptr<OGRGeometry>(const OGRPolygon&)>;

/// The footprints once more, each geometry changed, in a GeoPackage; without a system where `crs` is empty.
std::string rewritten(const Draft& draft, OGRwkbGeometryType type, const Change& change,
                      const std::string& crs = kCrs) {
  std::string path = draft.file("changed.gpkg");
  const auto source = opened(region_file(kFootprints), GDAL_OF_VECTOR);
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GPKG");
  const geo::DatasetHandle file(driver->Create(path.c_str(), 0, 0, 0, GDT_Unknown, nullptr));
  OGRSpatialReference system;
  if (!crs.empty()) system.SetFromUserInput(crs.c_str());
  OGRLayer* layer = file->CreateLayer("changed", crs.empty() ? nullptr : &system, type, nullptr);
  for (const auto& feature : *source->GetLayer(0)) {
    OGRFeature out(layer->GetLayerDefn());
    if (auto geometry = change(*feature->GetGeometryRef()->toPolygon()))
      out.SetGeometryDirectly(geometry.release());
    EXPECT_EQ(layer->CreateFeature(&out), OGRERR_NONE);
  }
  return path;
}

std::function<void(Draft&)> footprints_as(OGRwkbGeometryType type, const Change& change) {
  return [=](Draft& draft) { draft.use(kFootprints, rewritten(draft, type, change)); };
}

std::unique_ptr<OGRGeometry> copy_of(const OGRGeometry& geometry) {
  return std::unique_ptr<OGRGeometry>(geometry.clone());
}

std::unique_ptr<OGRGeometry> with_a_point_twice(const OGRPolygon& polygon) {
  auto out = std::make_unique<OGRPolygon>();
  OGRLinearRing ring;
  for (int i = 0; i < polygon.getExteriorRing()->getNumPoints(); ++i)
    for (int k = 0; k < 2; ++k)
      ring.addPoint(polygon.getExteriorRing()->getX(i), polygon.getExteriorRing()->getY(i));
  out->addRing(&ring);
  return out;
}

std::unique_ptr<OGRGeometry> with_heights(const OGRPolygon& polygon) {
  auto out = copy_of(polygon);
  out->set3D(TRUE);
  for (int i = 0; i < out->toPolygon()->getExteriorRing()->getNumPoints(); ++i)
    out->toPolygon()->getExteriorRing()->setZ(i, 300 + i);
  return out;
}

/// With a second ring that crosses itself, far from the house.
std::unique_ptr<OGRGeometry> beside_a_bow_tie(const OGRPolygon& polygon) {
  auto out = std::make_unique<OGRMultiPolygon>();
  out->addGeometry(&polygon);
  OGREnvelope box;
  polygon.getEnvelope(&box);
  OGRPolygon tie;
  OGRLinearRing ring;
  const geo::Point at{box.MinX - 90, box.MinY - 90};
  for (const auto& [x, y] : {std::pair{0, 0}, {4, 4}, {4, 0}, {0, 4}, {0, 0}})
    ring.addPoint(at.x + x, at.y + y);
  tie.addRing(&ring);
  out->addGeometry(&tie);
  return out;
}

std::unique_ptr<OGRGeometry> as_curve(const OGRPolygon& polygon) {
  auto out = std::make_unique<OGRCurvePolygon>();
  auto line = std::make_unique<OGRLineString>();  // a compound curve takes no ring
  line->addSubLineString(polygon.getExteriorRing());
  auto ring = std::make_unique<OGRCompoundCurve>();
  EXPECT_EQ(ring->addCurve(line.get()), OGRERR_NONE);
  EXPECT_EQ(out->addRing(ring.get()), OGRERR_NONE);
  return out;
}

std::vector<Variant> footprints() {
  return {
      {"TheSameSetTwice", [](Draft& draft) { draft.add(kFootprints, region_file(kFootprints)); }, same()},
      {"TheSameSetTwiceWithoutParcels",
       [](Draft& draft) {
         draft.drop("parcels");
         draft.add(kFootprints, region_file(kFootprints));
       },
       same(kRoughly)},
      {"EveryPointTwice", footprints_as(wkbPolygon, with_a_point_twice), same()},
      {"Clockwise",
       footprints_as(wkbPolygon,
                     [](const OGRPolygon& polygon) {
                       auto out = copy_of(polygon);
                       out->toPolygon()->getExteriorRing()->reversePoints();
                       return out;
                     }),
       same()},
      {"MultiPolygons", converted(kFootprints, "m.gpkg", {"-nlt", "MULTIPOLYGON"}), same()},
      {"AllInOneMultiPolygon",
       [](Draft& draft) {
         auto* all = new OGRMultiPolygon();
         std::unique_ptr<OGRGeometry> owner(all);
         rewritten(draft, wkbPolygon, [&](const OGRPolygon& polygon) {
           all->addGeometry(&polygon);
           return copy_of(polygon);
         });
         fs::remove(draft.file("changed.gpkg"));
         bool first = true;
         draft.use(kFootprints, rewritten(draft, wkbUnknown, [&](const OGRPolygon&) {
                     return std::exchange(first, false) ? copy_of(*all) : nullptr;
                   }));
       },
       same()},
      {"Polygons3D", footprints_as(wkbPolygon25D, with_heights), same()},
      {"BesideABowTie", footprints_as(wkbMultiPolygon, beside_a_bow_tie), same()},
      {"CurvePolygons", footprints_as(wkbCurvePolygon, as_curve), same()},
      {"FeaturesWithoutGeometry",
       [](Draft& draft) {
         draft.use(kFootprints, rewritten(draft, wkbUnknown, copy_of));
         const auto file = geo::DatasetHandle(
             GDALDataset::Open(draft.file("changed.gpkg").c_str(), GDAL_OF_VECTOR | GDAL_OF_UPDATE));
         OGRFeature nothing(file->GetLayer(0)->GetLayerDefn());
         EXPECT_EQ(file->GetLayer(0)->CreateFeature(&nothing), OGRERR_NONE);
       },
       same()},
      {"AShapefile", converted(kFootprints, "b.shp", {"-f", "ESRI Shapefile"}), same()},
      {"AShapefileWithoutASystemButAStatedOne",
       [](Draft& draft) {
         converted(kFootprints, "b.shp", {"-f", "ESRI Shapefile"}, R"(, "crs": "EPSG:25832")")(draft);
         fs::remove(draft.file("b.prj"));
       },
       same()},
      {"AGeoPackageWithoutASystem",
       [](Draft& draft) { draft.use(kFootprints, rewritten(draft, wkbPolygon, copy_of, "")); },
       refused("coordinate reference system")},
      {"GeoJson",
       converted(kFootprints, "b.geojson",
                 {"-f", "GeoJSON", "-t_srs", "EPSG:4326", "-lco", "COORDINATE_PRECISION=9"}),
       same(kNearly)},
      {"FlatGeobuf", converted(kFootprints, "b.fgb", {"-f", "FlatGeobuf"}), same()},
      {"Gml", converted(kFootprints, "b.gml", {"-f", "GML"}), same()},
      {"TheNextZone", converted(kFootprints, "b.gpkg", {"-t_srs", "EPSG:25833"}), same(kNearly)},
      {"Degrees", converted(kFootprints, "b.gpkg", {"-t_srs", "EPSG:4258"}), same(kNearly)},
      {"ACompoundSystem", converted(kFootprints, "b.gpkg", {"-a_srs", "EPSG:25832+7837"}), same()},
      {"MetresInGeoJsonThatSaysNothing",
       [](Draft& draft) {
         converted(kFootprints, "b.geojson", {"-f", "GeoJSON"})(draft);
         std::ostringstream text;
         text << std::ifstream(draft.file("b.geojson")).rdbuf();
         std::ofstream(draft.file("b.geojson"))
             << std::regex_replace(text.str(), std::regex("\"crs\": \\{.*\\},"), "");
       },
       refused("nowhere on the earth")},
      {"AnOldEllipsoidThatDoesNotSayItsDatum",
       [](Draft& draft) {
         converted(kFootprints, "b.shp", {"-f", "ESRI Shapefile", "-t_srs", "EPSG:31467"})(draft);
         std::ofstream(draft.file("b.prj"))
             << R"(PROJCS["x",GEOGCS["x",DATUM["D_Bessel_1841",SPHEROID["Bessel_1841",6377397.155,299.1528128]],)"
             << R"(PRIMEM["Greenwich",0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],)"
             << R"(PARAMETER["False_Easting",3500000],PARAMETER["False_Northing",0],)"
             << R"(PARAMETER["Central_Meridian",9],PARAMETER["Scale_Factor",1],)"
             << R"(PARAMETER["Latitude_Of_Origin",0],UNIT["Meter",1]])";
       },
       refused("does not say its datum")},
      {"NoneAtAll", [](Draft& draft) { draft.drop(kFootprints); }, same(kRoughly)},
      {"AnEmptyLayer", converted(kFootprints, "b.gpkg", {"-where", "FALSE"}), same(kRoughly)},
      {"Lines", converted(kFootprints, "b.gpkg", {"-nlt", "LINESTRING"}), refused("polygon")},
      {"CutShort",
       [](Draft& draft) {
         fs::copy_file(region_file(kFootprints), draft.file("b.gpkg"));
         fs::resize_file(draft.file("b.gpkg"), fs::file_size(draft.file("b.gpkg")) / 3);
         draft.use(kFootprints, draft.file("b.gpkg"));
       },
       fails()},
      {"AnEmptyFile",
       [](Draft& draft) {
         std::ofstream(draft.file("b.gpkg"));
         draft.use(kFootprints, draft.file("b.gpkg"));
       },
       refused("cannot be opened as a vector data set")},
      {"HeightsInsteadOfOutlines",
       [](Draft& draft) { draft.use(kFootprints, (region() / "dsm.tif").string()); },
       refused("cannot be opened as a vector data set")},
      {"ParcelsTwice", [](Draft& draft) { draft.add("parcels", region_file("parcels")); }, same()},
      {"ParcelsInDegrees", converted("parcels", "p.gpkg", {"-t_srs", "EPSG:4258"}), same(kNearly)},
      {"ParcelsAsMultiPolygons", converted("parcels", "p.gpkg", {"-nlt", "MULTIPOLYGON"}), same()},
  };
}

class HostileOutlines : public testing::TestWithParam<Variant> {};
TEST_P(HostileOutlines, HaveTheUntouchedResultOrOneClearSentence) { expect_outcome(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Footprints, HostileOutlines, testing::ValuesIn(footprints()), name_of);

}  // namespace
}  // namespace hostile
