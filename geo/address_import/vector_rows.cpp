#include "geo/address_import/vector_rows.hpp"

#include <gdal_priv.h>
#include <ogrsf_frmts.h>

#include <algorithm>
#include <array>
#include <boost/geometry/index/rtree.hpp>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>

#include "geo/data/gdal.hpp"
#include "geo/data/vector_layers.hpp"
#include "geo/lower_case.hpp"
#include "geo/shapes/boost_shapes.hpp"
#include "geo/shapes/ogr_shapes.hpp"
#include "geo/shapes/plane_geometry.hpp"

namespace geo {
namespace {

using GoOn = VectorHouses::GoOn;
using Names = std::vector<std::string>;

constexpr const char *kX = "(x)", *kY = "(y)";
constexpr std::uint64_t kFeaturesPerReport = 4096;

bool has(const Names& names, const std::string& name) { return column_named(names, name).has_value(); }

/// A layer's features, one after the other.
class Features {
 public:
  Features(OGRLayer& layer, std::string place, const GoOn& go_on)
      : layer_(layer),
        place_(std::move(place)),
        go_on_(go_on),
        progress_{0, static_cast<std::uint64_t>(std::max<GIntBig>(0, layer.GetFeatureCount(false)))} {}

  /// Null at the end, and when something is wrong.
  OGRFeatureUniquePtr next() {
    if (progress_.bytes++ % kFeaturesPerReport == 0 && !go_on_(progress_)) {
      stopped_ = true;
      return nullptr;
    }
    CPLErrorReset();
    OGRFeatureUniquePtr feature(layer_.GetNextFeature());
    // OGR ends a damaged layer as if it were whole, and goes on behind a shape that it cannot read.
    if (CPLGetLastErrorType() == CE_Failure && (!feature || !feature->GetGeometryRef())) {
      damage_ = CPLGetLastErrorMsg();
      return nullptr;
    }
    return feature;
  }
  /// Whether that was the true end.
  Result<void> finish() const {
    if (stopped_) return fail(FailureKind::cancelled, place_ + ": the import was stopped");
    if (!damage_.empty()) return fail(FailureKind::invalid_input, place_ + ": is damaged (" + damage_ + ")");
    return {};
  }

 private:
  OGRLayer& layer_;
  std::string place_;
  const GoOn& go_on_;
  TextProgress progress_;
  bool stopped_ = false;
  std::string damage_;
};

struct OpenLayers {
  std::vector<DatasetHandle> data;
  std::vector<OGRLayer*> layers;
};

/// Lies beside data sets, and only its ending looks like one's: a description, macOS's own files.
bool may_be_none(const std::string& file) {
  const std::string name = std::filesystem::path(file).filename().string();
  return name.starts_with("._") || lower_case(name).ends_with(".json");
}

/// Of the layer's name; of each data set's first layer when there is none.
Result<OpenLayers> layers_at(const std::string& place, const std::string& name) {
  OpenLayers found;
  for (const std::string& file : files_at(place, Inside::zips_too)) {
    if (file != place && !is_vector_data(file)) continue;
    const bool is_shape = lower_case(file).ends_with(".shp");  // the file's name is the layer's
    if (is_shape && !name.empty() && !is_layer_called(CPLGetBasename(file.c_str()), name, true)) continue;
    DatasetHandle data = open_dataset(file, GDAL_OF_VECTOR);
    if (!data && file != place && may_be_none(file)) continue;
    if (!data) return fail(FailureKind::invalid_input, file + ": cannot be opened as a vector data set");
    for (OGRLayer* layer : data->GetLayers()) {
      if (!name.empty() && !is_shape && !is_layer_called(layer->GetName(), name, false)) continue;
      found.layers.push_back(layer);
      if (name.empty()) break;
    }
    found.data.push_back(std::move(data));
  }
  if (!found.layers.empty()) return found;
  return fail(FailureKind::invalid_input, place + ": holds no layer" + (name.empty() ? "" : " " + name));
}

Names columns_of(OGRLayer& layer) {
  Names names;
  for (int i = 0; i < layer.GetLayerDefn()->GetFieldCount(); ++i)
    names.emplace_back(layer.GetLayerDefn()->GetFieldDefn(i)->GetNameRef());
  return names;
}

std::string crs_of(OGRLayer& layer) { return layer.GetSpatialRef() ? wkt_of(*layer.GetSpatialRef()) : ""; }

bool may_be_same(const std::string& crs, const std::string& other) {
  return crs.empty() || other.empty() || same_positions(crs, other);
}

/// Areas, and what some of their columns say.
class Areas {
 public:
  Areas(const Areas&) = delete;
  Areas& operator=(const Areas&) = delete;
  Areas(Areas&&) = default;
  Areas& operator=(Areas&&) = default;

  /// Of `columns` those that the layers have.
  static Result<Areas> read(const std::string& place, const std::string& layer, const Names& columns,
                            const GoOn& go_on) {
    const auto open = layers_at(place, layer);
    if (!open) return tl::make_unexpected(open.error());
    Areas areas;
    const Names known = columns_of(*open->layers.front());
    std::copy_if(columns.begin(), columns.end(), std::back_inserter(areas.columns_),
                 [&](const std::string& column) { return has(known, column); });
    for (OGRLayer* one : open->layers)
      if (auto added = areas.add(*one, place, go_on); !added) return tl::make_unexpected(added.error());
    areas.index();
    return areas;
  }

  const std::string& crs() const { return crs_; }
  const Names& columns() const { return columns_; }
  /// Of an area that holds the point; null when none does.
  const Names* cells_at(Point p) const {
    namespace bgi = boost::geometry::index;
    for (auto it = boxes_.qbegin(bgi::intersects(p)); it != boxes_.qend(); ++it)
      if (contains(areas_[it->second].shape, p)) return areas_[it->second].cells;
    return nullptr;
  }

 private:
  using BoostBox = boost::geometry::model::box<Point>;
  using Entry = std::pair<BoostBox, std::size_t>;
  struct Area {
    Polygon shape;
    const Names* cells;
  };
  Areas() = default;

  Result<void> add(OGRLayer& layer, const std::string& place, const GoOn& go_on) {
    const std::string crs = crs_of(layer);
    if (!may_be_same(crs, crs_))
      return fail(FailureKind::invalid_input,
                  place + ": the layers " + layer.GetName() + " have different coordinate reference systems");
    if (!crs.empty()) crs_ = crs;
    const Names known = columns_of(layer);
    std::vector<std::optional<std::size_t>> places;
    for (const std::string& column : columns_) places.push_back(column_named(known, column));
    TextEncoding encoding;
    TextRow row;
    Features features(layer, place, go_on);
    for (; const auto feature = features.next(); row.begin_next()) {
      for (const auto& at : places) row.add(at ? feature->GetFieldAsString(static_cast<int>(*at)) : "");
      if (const std::string fault = encoding.read(row); !fault.empty())
        return fail(FailureKind::invalid_input, place + ": " + layer.GetName() + ": " + fault);
      Names cells;
      for (std::size_t i = 0; i < row.size(); ++i) cells.emplace_back(row[i]);
      // Thousands of parcels say the same.
      const auto* const said = &said_.try_emplace(std::move(cells)).first->first;
      std::vector<Polygon> shapes;
      append_polygons(feature->GetGeometryRef(), shapes);
      for (Polygon& shape : shapes) areas_.push_back({std::move(shape), said});
    }
    return features.finish();
  }
  void index() {
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < areas_.size(); ++i) {
      const Box box = bounding_box(areas_[i].shape.outer);
      entries.emplace_back(BoostBox({box.min_x, box.min_y}, {box.max_x, box.max_y}), i);
    }
    boxes_ = decltype(boxes_)(entries);
  }

  std::string crs_;
  Names columns_;
  std::map<Names, char> said_;  // its keys stay where they are
  std::vector<Area> areas_;
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

/// The columns that the mapping names, of all but the place.
Names columns_named(const ColumnMapping& mapping) {
  Names named;
  for (const Names* columns : {&mapping.street, &mapping.number, &mapping.postcode, &mapping.town,
                               &mapping.also_in, &mapping.country})
    for (const std::string& name : *columns)
      if (!is_constant(name) && !has(named, name)) named.push_back(name);
  return named;
}

Names without(const Names& names, const Names& others) {
  Names left;
  std::copy_if(names.begin(), names.end(), std::back_inserter(left),
               [&](const std::string& name) { return !has(others, name); });
  return left;
}

/// Rows of a layer's houses: their own columns, the place, the area's columns, and some that are empty.
class HouseRows {
 public:
  HouseRows(OGRLayer& layer, const Areas* areas, const Names& empty)
      : own_(columns_of(layer)), areas_(areas), names_(own_) {
    names_.insert(names_.end(), {kX, kY});
    if (areas_) names_.insert(names_.end(), areas_->columns().begin(), areas_->columns().end());
    names_.insert(names_.end(), empty.begin(), empty.end());
  }

  const Names& names() const { return names_; }
  /// The house's own, in UTF-8. The sentence that refuses it.
  std::string begin(TextRow& row, const OGRFeature& feature, TextEncoding& encoding) const {
    for (int i = 0; i < feature.GetFieldCount(); ++i) row.add(feature.GetFieldAsString(i));
    return encoding.read(row);
  }
  /// False when it lies in none of the areas.
  bool finish(TextRow& row, const OGRFeature& feature) const {
    const auto place = place_of(feature);
    for (const double value : {place ? place->x : 0, place ? place->y : 0}) {
      std::array<char, 32> text{};
      const auto end = place ? std::to_chars(text.data(), text.data() + text.size(), value).ptr : text.data();
      row.add({text.data(), static_cast<std::size_t>(end - text.data())});
    }
    if (!areas_ || !place) return true;
    const Names* const cells = areas_->cells_at(*place);
    if (!cells) return false;
    for (const std::string& cell : *cells) row.add(cell);
    return true;
  }
  std::vector<std::size_t> places_of(const Names& columns) const {
    std::vector<std::size_t> places;
    for (const std::string& column : columns)
      if (const auto at = column_named(own_, column)) places.push_back(*at);
    return places;
  }

 private:
  Names own_;
  const Areas* areas_;
  Names names_;
};

bool lacks_all(const std::vector<std::size_t>& places, const TextRow& row) {
  return !places.empty() && std::all_of(places.begin(), places.end(),
                                        [&row](std::size_t column) { return row[column].empty(); });
}

bool is_area(const OGRFeature& feature) {
  const OGRGeometry* const shape = feature.GetGeometryRef();
  return shape && shape->getDimension() == 2;
}

Result<void> read_houses(OGRLayer& layer, const std::string& place, ColumnMapping mapping, const Areas* areas,
                         const Names& empty, GatheredHouses& houses, const GoOn& go_on) {
  const std::string own_crs = crs_of(layer);
  if (mapping.crs.empty()) mapping.crs = own_crs;
  if (mapping.crs.empty())
    return fail(FailureKind::invalid_input,
                place + ": does not say its coordinate reference system: state it as crs=25832");
  if (areas && !may_be_same(own_crs, areas->crs()))
    return fail(FailureKind::invalid_input,
                place + ": houses and areas have different coordinate reference systems");
  if (mapping.x.empty()) mapping.x = {kX}, mapping.y = {kY};
  const std::string in_none = "lies in none of the areas of " + mapping.within;
  const HouseRows rows(layer, areas, empty);
  const auto numbers = rows.places_of(mapping.number);
  const auto format = mapped_format(std::move(mapping));
  if (const auto header = format->read_header({place, ';', rows.names()}); !header)
    return tl::make_unexpected(header.error());
  TextEncoding encoding;
  TextRow row;
  Features features(layer, place, go_on);
  for (; const auto feature = features.next(); row.begin_next()) {
    if (const std::string fault = rows.begin(row, *feature, encoding); !fault.empty())
      return fail(FailureKind::invalid_input, place + ": " + fault);
    if ((areas || is_area(*feature)) && lacks_all(numbers, row))
      houses.leave_out("features without a house number");
    else if (!rows.finish(row, *feature))
      houses.add_wrong(row.line(), in_none);
    else
      format->read(row, houses);
  }
  return features.finish();
}

}  // namespace

bool is_vector_data(const std::string& path) {
  const std::string small = lower_case(path);
  constexpr std::array kEnds = {".gpkg", ".shp", ".geojson", ".json", ".gml", ".fgb"};
  return std::any_of(kEnds.begin(), kEnds.end(), [&](const char* end) { return small.ends_with(end); });
}

std::string plain_layer_name(std::string name) {
  name = lower_case(name);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-') c = '_';
  return name;
}

bool is_layer_called(const std::string& name, const std::string& wanted, bool is_shape) {
  const std::string is = plain_layer_name(name), should_be = plain_layer_name(wanted);
  return is == should_be || (is_shape && is.ends_with("_" + should_be));
}

Result<void> VectorHouses::read(const std::string& place, const GoOn& go_on) {
  const GdalErrors unheard;
  const auto open = layers_at(place, mapping_.layer);
  if (!open) return tl::make_unexpected(open.error());
  const Names named = columns_named(mapping_);
  std::optional<Areas> areas;
  Names asked_of_areas;
  for (OGRLayer* layer : open->layers) {
    if (layer->GetFeatureCount(true) == 0) continue;  // the last of an office's pages has no columns either
    if (!keep_only(*layer, mapping_.where))
      return fail(FailureKind::invalid_input, place + ": layer " + layer->GetName() +
                                                  " cannot be asked for \"" + mapping_.where + "\" (" +
                                                  CPLGetLastErrorMsg() + ")");
    const Names own = columns_of(*layer);
    Names missing = without(named, own);
    if (!mapping_.within.empty()) {
      if (!areas || missing != asked_of_areas) {
        auto read = Areas::read(place, mapping_.within, missing, go_on);
        if (!read) return tl::make_unexpected(read.error());
        areas = std::move(*read);
        asked_of_areas = missing;
      }
      missing = without(missing, areas->columns());
    }
    if (auto read = read_houses(*layer, place, mapping_, areas ? &*areas : nullptr, missing, houses_, go_on);
        !read)
      return read;
    if (first_.empty()) first_ = own;
    const Names known = without(named, missing);
    seen_.insert(seen_.end(), known.begin(), known.end());
  }
  return {};
}

Result<void> VectorHouses::finish(const std::string& place) const {
  const Names unknown = without(columns_named(mapping_), seen_);
  if (first_.empty() || unknown.empty()) return {};
  if (mapping_.within.empty())
    return fail(FailureKind::invalid_input, missing_column(place, first_, unknown.front()));
  return fail(FailureKind::invalid_input, place + ": the column " + unknown.front() +
                                              " is missing, also in the layer " + mapping_.within);
}

}  // namespace geo
