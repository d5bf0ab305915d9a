#include "geo/offices/tile_rows.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "geo/data/coordinate_system.hpp"

namespace geo::offices {
namespace {

std::string name_of_tile(const Source& source, const FoundFile& file) {
  std::array<char, 80> name{};
  std::snprintf(name.data(), name.size(), "%lld_%lld", std::llround(file.square.min_x / source.grid.unit),
                std::llround(file.square.min_y / source.grid.unit));
  std::string text = name.data();
  if (file.fields.date > 0)
    text += "_" + std::to_string(file.fields.date % 10000 ? file.fields.date : file.fields.year());
  return text + (source.form == FileForm::jpeg2000 ? ".jp2" : ".tif");
}

Box stored_box(const Source& source, const Box& square) {
  if (source.stored_crs.empty()) return square;
  const auto to = transformation_between(source.crs, source.stored_crs);
  const auto box = to ? transformed(square, *to) : std::nullopt;
  return box ? *box : square;
}

}  // namespace

GridPlace place_in_grid(const Source& source, const Box& box) {
  const TileGrid& grid = source.grid;
  const auto count = [&grid](double from, double to, double origin) {
    return static_cast<long long>(std::floor(((from + to) / 2 - origin) / grid.size));
  };
  return {count(box.min_x, box.max_x, grid.origin.x), count(box.min_y, box.max_y, grid.origin.y)};
}

std::string location_of_tile(const Source& source, const FoundFile& file) {
  return std::filesystem::path("tiles") / source.id / name_of_tile(source, file);
}

const std::string& crs_of_tiles(const Source& source) {
  return source.stored_crs.empty() ? source.crs : source.stored_crs;
}

Tile row_as_listed(const SetPlan& set, const FoundFile& file) {
  const Source& source = *set.source;
  Tile row;
  row.bounds = stored_box(source, file.square);
  row.url = file.listed.url;
  if (file.fields.year() > 0) row.year = file.fields.year();
  row.cell_m = set.remote || source.stored_cell_m == 0 ? source.cell_m : source.stored_cell_m;
  row.bytes = file.listed.bytes;
  row.sha256 = file.listed.sha256;
  return row;
}

bool is_here(const Tile& row, const DataFolder& folder) {
  if (row.state != TileState::held || row.location.empty()) return false;
  std::error_code error;
  const auto bytes = std::filesystem::file_size(folder.root() / row.location, error);
  return !error && bytes > 0;  // a power cut may have emptied what an earlier version wrote
}

}  // namespace geo::offices
