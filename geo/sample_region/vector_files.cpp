#include "geo/sample_region/vector_files.hpp"

#include <cpl_conv.h>
#include <gdal_priv.h>
#include <ogrsf_frmts.h>

#include <cstdio>
#include <fstream>
#include <functional>
#include <memory>

#include "geo/data/gdal.hpp"

namespace geo::sample {
namespace {

/// While it lives, this thread's GeoPackages carry a fixed date: the same region gives the same bytes.
class FixedDate {
 public:
  FixedDate() { CPLSetThreadLocalConfigOption("OGR_CURRENT_DATE", "2024-01-01T00:00:00.000Z"); }
  ~FixedDate() { CPLSetThreadLocalConfigOption("OGR_CURRENT_DATE", nullptr); }
  FixedDate(const FixedDate&) = delete;
  FixedDate& operator=(const FixedDate&) = delete;
};

OGRLinearRing closed_ring(const Ring& ring) {
  OGRLinearRing out;
  for (const Point& p : ring) out.addPoint(p.x, p.y);
  out.closeRings();
  return out;
}

OGRPolygon to_ogr(const Polygon& polygon) {
  OGRPolygon out;
  OGRLinearRing outer = closed_ring(polygon.outer);
  out.addRing(&outer);
  for (const Ring& hole : polygon.holes) {
    OGRLinearRing inner = closed_ring(hole);
    out.addRing(&inner);
  }
  return out;
}

struct FeatureDestroyer {
  void operator()(OGRFeature* feature) const { OGRFeature::DestroyFeature(feature); }
};

struct Field {
  const char* name;
  OGRFieldType type;
};

/// Fills feature `index`'s fields and returns its outline in map metres.
using Describe = std::function<Polygon(std::size_t index, OGRFeature& feature)>;

bool fill(OGRLayer& layer, const std::vector<Field>& fields, std::size_t count, const Describe& describe) {
  for (const Field& field : fields) {
    OGRFieldDefn definition(field.name, field.type);
    if (layer.CreateField(&definition) != OGRERR_NONE) return false;
  }
  for (std::size_t i = 0; i < count; ++i) {
    std::unique_ptr<OGRFeature, FeatureDestroyer> feature(OGRFeature::CreateFeature(layer.GetLayerDefn()));
    OGRPolygon outline = to_ogr(describe(i, *feature));
    if (feature->SetGeometry(&outline) != OGRERR_NONE || layer.CreateFeature(feature.get()) != OGRERR_NONE)
      return false;
  }
  return true;
}

Result<void> write_layer(const std::string& path, const std::string& crs, const char* name,
                         const std::vector<Field>& fields, std::size_t count, const Describe& describe) {
  register_gdal_drivers();
  const FixedDate date;
  const auto cannot = [&] { return fail(FailureKind::invalid_input, path + ": cannot be written"); };
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GPKG");
  OGRSpatialReference system;
  if (!driver || system.SetFromUserInput(crs.c_str()) != OGRERR_NONE) return cannot();
  VSIUnlink(path.c_str());
  DatasetHandle file(driver->Create(path.c_str(), 0, 0, 0, GDT_Unknown, nullptr));
  if (!file) return cannot();
  OGRLayer* layer = file->CreateLayer(name, &system, wkbPolygon, nullptr);
  if (!layer || layer->StartTransaction() != OGRERR_NONE || !fill(*layer, fields, count, describe) ||
      layer->CommitTransaction() != OGRERR_NONE)
    return cannot();
  CPLErrorReset();
  file.reset();
  if (CPLGetLastErrorType() >= CE_Failure) return cannot();
  return {};
}

const char* german(BuildingUse use) {
  switch (use) {
    case BuildingUse::house:
      return "Wohnhaus";
    case BuildingUse::row_house:
      return "Reihenhaus";
    case BuildingUse::garage:
      return "Garage";
  }
  return "";
}

}  // namespace

Polygon to_map(const Polygon& region, const PlaceFrame& frame) {
  auto map_ring = [&](const Ring& ring) {
    Ring out;
    for (const Point& p : ring) out.push_back(frame.from_true({p.x, p.y}));
    return out;
  };
  Polygon out{map_ring(region.outer), {}};
  for (const Ring& hole : region.holes) out.holes.push_back(map_ring(hole));
  return out;
}

Result<void> write_buildings(const std::string& path, const std::string& crs, const Settlement& settlement,
                             const std::vector<Polygon>& walls, const PlaceFrame& frame) {
  return write_layer(path, crs, "buildings", {{"gebaeude", OFTInteger}, {"art", OFTString}},
                     settlement.buildings.size(), [&](std::size_t i, OGRFeature& feature) {
                       feature.SetField("gebaeude", static_cast<int>(i));
                       feature.SetField("art", german(settlement.buildings[i].use));
                       return to_map(walls[i], frame);
                     });
}

Result<void> write_parcels(const std::string& path, const std::string& crs, const Settlement& settlement,
                           const PlaceFrame& frame) {
  return write_layer(path, crs, "parcels", {{"nummer", OFTString}}, settlement.parcels.size(),
                     [&](std::size_t i, OGRFeature& feature) {
                       feature.SetField("nummer", settlement.parcels[i].number.c_str());
                       return to_map(settlement.parcels[i].outline, frame);
                     });
}

Result<void> write_addresses(const std::string& path, const Settlement& settlement, const PlaceNames& names,
                             const PlaceFrame& frame) {
  std::ofstream out(path, std::ios::binary);
  out << "strasse,hausnummer,plz,ort,land,lon,lat\n";
  for (const Address& address : settlement.addresses) {
    const LonLat at = frame.to_lonlat(frame.from_true({address.at.x, address.at.y}));
    char position[64];
    std::snprintf(position, sizeof position, "%.8f,%.8f", at.lon_deg, at.lat_deg);
    out << address.street << ',' << address.number << ',' << names.postcode << ',' << names.place << ','
        << names.country << ',' << position << '\n';
  }
  out.close();
  if (!out) return fail(FailureKind::invalid_input, path + ": cannot be written");
  return {};
}

}  // namespace geo::sample
