#include "geo/address_import/vector_rows.hpp"

#include <gdal_priv.h>
#include <ogrsf_frmts.h>

#include <algorithm>
#include <array>
#include <boost/geometry/index/rtree.hpp>
#include <charconv>
#include <map>
#include <optional>

#include "geo/data/gdal.hpp"
#include "geo/shapes/boost_shapes.hpp"
#include "geo/shapes/ogr_shapes.hpp"
#include "geo/shapes/plane_geometry.hpp"

namespace geo {
namespace {

using GoOn = std::function<bool(TextProgress)>;

constexpr const char *kX = "(x)", *kY = "(y)";
constexpr std::uint64_t kFeaturesPerReport = 4096;

std::string in_small_letters(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

tl::unexpected<Failure> stopped(const std::string& place) {
  return fail(FailureKind::cancelled, place + ": the import was stopped");
}

/// Of shapes also "3438-000_flurstueck" is the layer "Flurstueck"; "nutzungflurstueck" is another.
bool is_called(const std::string& name, const std::string& wanted, bool is_shape) {
  const std::string small = in_small_letters(name), whole = in_small_letters(wanted);
  return small == whole || (is_shape && small.ends_with("_" + whole));
}

/// The next feature, or null at the end; then `damage` says whether it is the true one.
OGRFeatureUniquePtr next_feature(OGRLayer& layer, std::string& damage) {
  CPLErrorReset();
  OGRFeatureUniquePtr feature(layer.GetNextFeature());
  if (!feature && CPLGetLastErrorType() == CE_Failure) damage = CPLGetLastErrorMsg();
  return feature;
}

Result<void> whole_or_damaged(const std::string& place, const std::string& damage) {
  if (damage.empty()) return {};
  return fail(FailureKind::invalid_input, place + ": is damaged (" + damage + ")");
}

struct OpenLayers {
  std::vector<DatasetHandle> data;
  std::vector<OGRLayer*> layers;
};

/// Of the layer's name; of each data set's first layer when there is none.
Result<OpenLayers> layers_at(const std::string& place, const std::string& name) {
  OpenLayers found;
  for (const std::string& file : files_at(place)) {
    if (file != place && !is_vector_data(file)) continue;
    const bool is_shape = in_small_letters(file).ends_with(".shp");  // the file's name is the layer's
    if (is_shape && !name.empty() && !is_called(CPLGetBasename(file.c_str()), name, true)) continue;
    DatasetHandle data = open_dataset(file, GDAL_OF_VECTOR);
    if (!data) return fail(FailureKind::invalid_input, file + ": cannot be opened as a vector data set");
    for (OGRLayer* layer : data->GetLayers()) {
      if (!name.empty() && !is_shape && !is_called(layer->GetName(), name, false)) continue;
      found.layers.push_back(layer);
      if (name.empty()) break;
    }
    found.data.push_back(std::move(data));
  }
  if (!found.layers.empty()) return found;
  return fail(FailureKind::invalid_input, place + ": holds no layer" + (name.empty() ? "" : " " + name));
}

std::vector<std::string> columns_of(OGRLayer& layer) {
  std::vector<std::string> names;
  for (int i = 0; i < layer.GetLayerDefn()->GetFieldCount(); ++i)
    names.emplace_back(layer.GetLayerDefn()->GetFieldDefn(i)->GetNameRef());
  return names;
}

std::string crs_of(OGRLayer& layer) { return layer.GetSpatialRef() ? wkt_of(*layer.GetSpatialRef()) : ""; }

/// Areas, and what some of their columns say.
class Areas {
 public:
  /// Nothing but `columns` of each is kept.
  static Result<Areas> read(const std::string& place, const std::string& layer,
                            const std::vector<std::string>& columns, const GoOn& go_on) {
    const auto open = layers_at(place, layer);
    if (!open) return tl::make_unexpected(open.error());
    Areas areas;
    for (OGRLayer* one : open->layers)
      if (auto added = areas.add(*one, place, columns, go_on); !added)
        return tl::make_unexpected(added.error());
    areas.index();
    return areas;
  }

  const std::string& crs() const { return crs_; }
  /// Of an area that holds the point; null when none does.
  const std::vector<std::string>* cells_at(Point p) const {
    namespace bgi = boost::geometry::index;
    for (auto it = boxes_.qbegin(bgi::intersects(p)); it != boxes_.qend(); ++it)
      if (contains(polygons_[it->second].shape, p)) return polygons_[it->second].cells;
    return nullptr;
  }

 private:
  using BoostBox = boost::geometry::model::box<Point>;
  using Entry = std::pair<BoostBox, std::size_t>;
  struct Area {
    Polygon shape;
    const std::vector<std::string>* cells;
  };

  Result<void> add(OGRLayer& layer, const std::string& place, const std::vector<std::string>& columns,
                   const GoOn& go_on) {
    const auto known = columns_of(layer);
    std::vector<int> places;
    for (const std::string& column : columns) {
      const auto at = column_named(known, column);
      if (!at)
        return fail(FailureKind::invalid_input,
                    place + ": the column " + column + " is missing in the layer " + layer.GetName());
      places.push_back(static_cast<int>(*at));
    }
    crs_ = crs_of(layer);
    TextProgress progress{0, static_cast<std::uint64_t>(std::max<GIntBig>(0, layer.GetFeatureCount(false)))};
    std::string damage;
    while (const auto feature = next_feature(layer, damage)) {
      std::vector<std::string> cells;
      for (const int at : places) cells.emplace_back(feature->GetFieldAsString(at));
      // Thousands of parcels say the same.
      const auto* const said = &said_.try_emplace(std::move(cells)).first->first;
      std::vector<Polygon> shapes;
      append_polygons(feature->GetGeometryRef(), shapes);
      for (Polygon& shape : shapes) polygons_.push_back({std::move(shape), said});
      if (++progress.bytes % kFeaturesPerReport == 0 && !go_on(progress)) return stopped(place);
    }
    return whole_or_damaged(place, damage);
  }
  void index() {
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < polygons_.size(); ++i) {
      const Box box = bounding_box(polygons_[i].shape.outer);
      entries.emplace_back(BoostBox({box.min_x, box.min_y}, {box.max_x, box.max_y}), i);
    }
    boxes_ = decltype(boxes_)(entries);
  }

  std::string crs_;
  std::map<std::vector<std::string>, char> said_;  // the addresses of its keys stay
  std::vector<Area> polygons_;
  boost::geometry::index::rtree<Entry, boost::geometry::index::rstar<16>> boxes_;
};

/// A point, or one within an area.
std::optional<Point> place_of(const OGRFeature& feature) {
  const OGRGeometry* const shape = feature.GetGeometryRef();
  if (!shape || shape->IsEmpty()) return {};
  if (wkbFlatten(shape->getGeometryType()) == wkbPoint)
    return Point{shape->toPoint()->getX(), shape->toPoint()->getY()};
  if (shape->getDimension() != 2) return {};
  const OGRGeometryUniquePtr inside(
      OGRGeometry::FromHandle(OGR_G_PointOnSurface(OGRGeometry::ToHandle(const_cast<OGRGeometry*>(shape)))));
  if (!inside || inside->IsEmpty()) return {};
  return Point{inside->toPoint()->getX(), inside->toPoint()->getY()};
}

class HouseLayer {
 public:
  HouseLayer(std::string place, ColumnMapping mapping, const Areas* areas, std::size_t area_columns)
      : place_(std::move(place)), mapping_(std::move(mapping)), areas_(areas), area_columns_(area_columns) {}

  Result<void> read(OGRLayer& layer, const std::vector<std::string>& names, TextEncoding& encoding,
                    GatheredHouses& houses, const GoOn& go_on) const {
    ColumnMapping mapping = mapping_;
    const std::string own_crs = crs_of(layer);
    if (mapping.crs.empty()) mapping.crs = own_crs;
    if (mapping.crs.empty())
      return fail(FailureKind::invalid_input,
                  place_ + ": does not say its coordinate reference system: state it as crs=25832");
    if (areas_ && !own_crs.empty() && !areas_->crs().empty() && !same_positions(own_crs, areas_->crs()))
      return fail(FailureKind::invalid_input,
                  place_ + ": the layers have different coordinate reference systems");
    if (mapping.x.empty()) mapping.x = {kX}, mapping.y = {kY};
    const std::vector<int> numbers = places_of(mapping.number, layer);
    const auto format = mapped_format(std::move(mapping));
    if (const auto header = format->read_header({place_, ';', names}); !header)
      return tl::make_unexpected(header.error());
    TextProgress progress{0, static_cast<std::uint64_t>(std::max<GIntBig>(0, layer.GetFeatureCount(false)))};
    TextRow row;
    std::string damage;
    while (const auto feature = next_feature(layer, damage)) {
      row.clear();
      if (may_lack_number(*feature) && has_no(numbers, *feature)) {
        houses.leave_out("features without a house number");
      } else {
        fill(row, *feature);
        if (const std::string fault = encoding.read(row); !fault.empty())
          return fail(FailureKind::invalid_input, place_ + ": " + fault);
        format->read(row, houses);
      }
      row.begin_next();
      if (++progress.bytes % kFeaturesPerReport == 0 && !go_on(progress)) return stopped(place_);
    }
    return whole_or_damaged(place_, damage);
  }

 private:
  static std::vector<int> places_of(const ColumnMapping::Columns& columns, OGRLayer& layer) {
    std::vector<int> places;
    for (const std::string& column : columns)
      if (const auto at = column_named(columns_of(layer), column)) places.push_back(static_cast<int>(*at));
    return places;
  }
  bool may_lack_number(const OGRFeature& feature) const {
    const OGRGeometry* const shape = feature.GetGeometryRef();
    return areas_ || (shape && shape->getDimension() == 2);
  }
  static bool has_no(const std::vector<int>& columns, const OGRFeature& feature) {
    return !columns.empty() && std::all_of(columns.begin(), columns.end(), [&](int column) {
      return feature.GetFieldAsString(column)[0] == '\0';
    });
  }
  /// The order of `names` in read(): its own columns, x and y, the area's.
  void fill(TextRow& row, const OGRFeature& feature) const {
    for (int i = 0; i < feature.GetFieldCount(); ++i) row.add(feature.GetFieldAsString(i));
    const auto place = place_of(feature);
    for (const double value : {place ? place->x : 0, place ? place->y : 0}) {
      std::array<char, 32> text{};
      const auto end = place ? std::to_chars(text.data(), text.data() + text.size(), value).ptr : text.data();
      row.add({text.data(), static_cast<std::size_t>(end - text.data())});
    }
    const auto* const cells = place && areas_ ? areas_->cells_at(*place) : nullptr;
    for (std::size_t i = 0; i < area_columns_; ++i) row.add(cells ? (*cells)[i] : std::string_view());
  }

  std::string place_;
  ColumnMapping mapping_;
  const Areas* areas_;
  std::size_t area_columns_;
};

/// The columns that the mapping names and the houses do not have.
std::vector<std::string> missing_columns(const ColumnMapping& mapping, const std::vector<std::string>& own) {
  std::vector<std::string> missing;
  for (const ColumnMapping::Columns* columns : {&mapping.street, &mapping.number, &mapping.postcode,
                                                &mapping.town, &mapping.also_in, &mapping.country})
    for (const std::string& name : *columns)
      if (!is_constant(name) && !column_named(own, name) && !column_named(missing, name))
        missing.push_back(name);
  return missing;
}

}  // namespace

bool is_vector_data(const std::string& path) {
  const std::string small = in_small_letters(path);
  constexpr std::array kEnds = {".gpkg", ".shp", ".geojson", ".json", ".gml", ".fgb"};
  return std::any_of(kEnds.begin(), kEnds.end(), [&](const char* end) { return small.ends_with(end); });
}

Result<void> read_vector_houses(const std::string& place, const ColumnMapping& mapping,
                                TextEncoding& encoding, GatheredHouses& houses, const GoOn& go_on) {
  const GdalErrors unheard;
  const auto open = layers_at(place, mapping.layer);
  if (!open) return tl::make_unexpected(open.error());
  for (OGRLayer* layer : open->layers) {
    if (layer->GetFeatureCount(true) == 0) continue;  // the last of an office's pages has no columns either
    std::vector<std::string> names = columns_of(*layer);
    std::optional<Areas> areas;
    std::vector<std::string> of_areas;
    if (!mapping.within.empty()) {
      of_areas = missing_columns(mapping, names);
      auto read = Areas::read(place, mapping.within, of_areas, go_on);
      if (!read) return tl::make_unexpected(read.error());
      areas = std::move(*read);
    }
    names.insert(names.end(), {kX, kY});
    names.insert(names.end(), of_areas.begin(), of_areas.end());
    const HouseLayer reader(place, mapping, areas ? &*areas : nullptr, of_areas.size());
    if (auto read = reader.read(*layer, names, encoding, houses, go_on); !read) return read;
  }
  return {};
}

}  // namespace geo
