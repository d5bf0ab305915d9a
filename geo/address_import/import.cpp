#include "geo/address_import/import.hpp"

#include <gdal_priv.h>
#include <ogrsf_frmts.h>

#include <array>
#include <charconv>
#include <optional>

#include "geo/address_import/bev.hpp"
#include "geo/address_import/gathered_houses.hpp"
#include "geo/address_import/row_format.hpp"
#include "geo/address_import/text_rows.hpp"
#include "geo/addresses/index_file.hpp"
#include "geo/data/gdal.hpp"

namespace geo {
namespace {

constexpr std::uint64_t kPagesPerReport = 10'000;

/// "hk-de:crs=25832" is "hk-de" and "crs=25832".
std::pair<std::string, std::string> kind_and_details(const std::string& as) {
  const auto colon = std::min(as.find(':'), as.size());
  return {as.substr(0, colon), as.substr(std::min(colon + 1, as.size()))};
}

/// The system that "crs=25832" states; empty for nothing.
Result<std::string> stated_crs(const std::string& as, const std::string& details) {
  if (details.empty()) return std::string();
  const std::string code = details.starts_with("crs=") ? details.substr(4) : std::string();
  const std::string crs = code.find(':') == code.npos ? "EPSG:" + code : code;
  if (code.empty() || !coordinate_system(crs))
    return fail(FailureKind::invalid_input, "--as=" + as + ": is not of the form hk-de:crs=25832");
  return crs;
}

/// Points, or columns, of a vector data set as rows of a table.
class LayerRows {
 public:
  static constexpr const char *kX = "(x)", *kY = "(y)";

  static Result<void> read(const std::string& path, ColumnMapping mapping, GatheredHouses& houses,
                           const std::function<bool(TextProgress)>& go_on) {
    const DatasetHandle data = open_dataset(path, GDAL_OF_VECTOR);
    OGRLayer* const layer = data && data->GetLayerCount() > 0 ? data->GetLayer(0) : nullptr;
    if (!layer) return fail(FailureKind::invalid_input, path + ": cannot be opened as a vector data set");
    if (mapping.x.empty() || mapping.crs.empty())
      if (const OGRSpatialReference* system = layer->GetSpatialRef()) {
        char* text = nullptr;
        system->exportToWkt(&text);
        if (mapping.crs.empty()) mapping.crs = text;
        CPLFree(text);
      }
    if (mapping.crs.empty())
      return fail(FailureKind::invalid_input,
                  path + ": does not say its coordinate reference system: state it as crs=25832");
    if (mapping.x.empty()) mapping.x = {kX}, mapping.y = {kY};
    TextTable table{path, ';', names_of(*layer)};
    const auto format = mapped_format(std::move(mapping));
    if (const auto header = format->read_header(table); !header) return tl::make_unexpected(header.error());
    TextProgress progress{0, static_cast<std::uint64_t>(std::max<GIntBig>(0, layer->GetFeatureCount(false)))};
    TextRow row;
    while (const OGRFeatureUniquePtr feature{layer->GetNextFeature()}) {
      row.clear();
      fill(row, *feature);
      format->read(row, houses);
      row.begin_next();
      if (++progress.bytes % 4096 == 0 && !go_on(progress))
        return fail(FailureKind::cancelled, path + ": the import was stopped");
    }
    return {};
  }

 private:
  static std::vector<std::string> names_of(OGRLayer& layer) {
    std::vector<std::string> names;
    for (int i = 0; i < layer.GetLayerDefn()->GetFieldCount(); ++i)
      names.emplace_back(layer.GetLayerDefn()->GetFieldDefn(i)->GetNameRef());
    names.insert(names.end(), {kX, kY});
    return names;
  }
  static void fill(TextRow& row, const OGRFeature& feature) {
    for (int i = 0; i < feature.GetFieldCount(); ++i) row.add(feature.GetFieldAsString(i));
    const OGRGeometry* const geometry = feature.GetGeometryRef();
    const bool is_point =
        geometry && !geometry->IsEmpty() && wkbFlatten(geometry->getGeometryType()) == wkbPoint;
    for (const double value :
         {is_point ? geometry->toPoint()->getX() : 0, is_point ? geometry->toPoint()->getY() : 0}) {
      std::array<char, 32> text{};
      const auto end =
          is_point ? std::to_chars(text.data(), text.data() + text.size(), value).ptr : text.data();
      row.add({text.data(), static_cast<std::size_t>(end - text.data())});
    }
  }
};

/// By the name's end; all else is read as text.
bool is_vector_data(const std::string& path) {
  for (const char* end : {".gpkg", ".shp", ".geojson", ".json", ".gml", ".fgb"})
    if (path.size() > std::string_view(end).size() &&
        EQUAL(path.c_str() + path.size() - std::string_view(end).size(), end))
      return true;
  return false;
}

class Importer {
 public:
  Importer(const AddressImport& import, const std::function<bool(const ImportProgress&)>& go_on)
      : import_(import), go_on_(go_on) {}

  Result<std::string> run() {
    // First of all, so that hours of reading do not end at a folder that cannot be written.
    auto writer = AddressIndexWriter::create(import_.out);
    if (!writer) return tl::make_unexpected(writer.error());
    if (const auto read = read_all(); !read && !houses_.is_hopeless())
      return tl::make_unexpected(read.error());
    auto note = houses_.finish(encoding_.name());
    if (!note) return note;
    std::uint64_t pages = 0;
    bool goes_on = true;
    houses_.index().write([&](PageId id, std::string_view bytes) {
      if (++pages % kPagesPerReport == 0) goes_on = goes_on && go_on_({"writing", pages, 0, houses_.rows()});
      if (goes_on) (*writer)->add(id, bytes);
    });
    if (!goes_on) return fail(FailureKind::cancelled, import_.file + ": the import was stopped");
    if (const auto finished = (*writer)->finish(); !finished) return tl::make_unexpected(finished.error());
    return import_.out + ": " + *note;
  }

 private:
  Result<void> read_all() {
    const auto [kind, details] = kind_and_details(import_.as);
    const std::function<bool(TextProgress)> go_on = [this](TextProgress read) {
      return !houses_.is_hopeless() && go_on_({"reading", read.bytes, read.of_bytes, houses_.rows()});
    };
    if (kind == "bev" && details.empty()) return read_bev(import_.file, encoding_, houses_, go_on);
    if (kind == "swisstopo" && details.empty()) return read_tables(*swisstopo_format(), go_on);
    if (kind == "hk-de" || kind == "gebref") {
      auto crs = stated_crs(import_.as, details);
      return crs ? read_tables(*hk_de_format(std::move(*crs)), go_on) : tl::make_unexpected(crs.error());
    }
    if (kind == "csv") {
      auto mapping = column_mapping(details);
      if (!mapping) return tl::make_unexpected(mapping.error());
      houses_.begin_file(import_.file);
      if (is_vector_data(import_.file))
        return LayerRows::read(import_.file, std::move(*mapping), houses_, go_on);
      if (mapping->x.empty() || mapping->crs.empty())
        return fail(FailureKind::invalid_input,
                    "--as=" + import_.as + ": names no x, y and crs, and no lon and lat");
      return read_tables(*mapped_format(std::move(*mapping)), go_on);
    }
    return fail(FailureKind::invalid_input,
                "--as=" + import_.as + ": is none of hk-de, gebref, bev, swisstopo and csv:street=...");
  }

  Result<void> read_tables(RowFormat& format, const std::function<bool(TextProgress)>& go_on) {
    const auto tables = text_tables(import_.file);
    if (!tables) return tl::make_unexpected(tables.error());
    std::optional<Failure> other_form;  // of a ZIP's members: lists of keys, what the columns mean
    bool found = false;
    for (const TextTable& table : *tables) {
      const auto has_names = format.read_header(table);
      if (!has_names) {
        if (!other_form) other_form = has_names.error();
        continue;
      }
      found = true;
      houses_.begin_file(table.path);
      auto read = read_rows(
          table, encoding_,
          [&](const TextRow& row) {
            if (row.line() > 1 || !*has_names) format.read(row, houses_);
          },
          go_on);
      if (!read) return read;
    }
    return found || !other_form ? Result<void>() : tl::make_unexpected(*other_form);
  }

  const AddressImport& import_;
  const std::function<bool(const ImportProgress&)>& go_on_;
  TextEncoding encoding_;
  GatheredHouses houses_;
};

}  // namespace

Result<std::string> import_addresses(const AddressImport& import,
                                     const std::function<bool(const ImportProgress&)>& go_on) {
  return Importer(import, go_on).run();
}

}  // namespace geo
