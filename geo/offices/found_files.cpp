#include "geo/offices/found_files.hpp"

#include <ogr_spatialref.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "geo/data/coordinate_system.hpp"

namespace geo::offices {
namespace {

constexpr double kFar_deg = 0.5;  // beyond the outline's box a square is none of the region's
constexpr double kRounding = 1e-6;

Box square_at(const TileGrid& grid, double east, double north) {
  return {east, north, east + grid.size, north + grid.size};
}

/// The grid's square that holds a point.
Box square_around(const TileGrid& grid, Point p) {
  const auto corner = [&](double value, double origin) {
    return std::floor((value - origin) / grid.size + kRounding) * grid.size + origin;
  };
  return square_at(grid, corner(p.x, grid.origin.x), corner(p.y, grid.origin.y));
}

/// What the first of the names that fits says.
std::optional<NameFields> fields_of(const FindRule& find, const ListedFile& file) {
  std::vector<std::string> names;
  if (file.member)
    names = {file.member->name.substr(file.member->name.rfind('/') + 1)};
  else if (find.in_title)
    names = {file.title};
  else
    names = names_in_url(file.url);
  for (const std::string& name : names)
    for (const NamePattern& pattern : find.names)
      if (auto fields = pattern.match(name)) return fields;
  return {};
}

class SquareFinder {
 public:
  explicit SquareFinder(const Source& source)
      : source_(source), to_map_(transformation_from_wgs84(source.crs)) {
    const Box outline = bounding_box(source.outline).grown(kFar_deg);
    if (to_map_)
      if (const auto box = transformed(outline, *to_map_)) region_ = *box;
  }

  std::optional<Box> of(const NameFields& fields, const ListedFile& file) const {
    if (fields.east && fields.north)
      return square_at(source_.grid, *fields.east * source_.grid.unit, *fields.north * source_.grid.unit);
    if (!file.place) return {};
    Point middle{(file.place->min_x + file.place->max_x) / 2, (file.place->min_y + file.place->max_y) / 2};
    const bool in_degrees = std::abs(middle.x) <= 180 && std::abs(middle.y) <= 90;
    if (in_degrees && is_projected(source_.crs) && (!to_map_ || !to_map_->Transform(1, &middle.x, &middle.y)))
      return {};
    return square_around(source_.grid, middle);
  }
  bool in_region(const Box& square) const { return region_.overlaps(square); }

 private:
  const Source& source_;
  TransformationHandle to_map_;
  Box region_ = kEverywhere;
};

/// What tells a file's square, district or product from another's; of those that share it the newest counts.
using Key = std::tuple<double, double, std::string, std::string>;
Key key_of(const FoundFile& file) {
  const bool placed = file.square.min_x < file.square.max_x;
  return {placed ? file.square.min_y : 0, placed ? file.square.min_x : 0, file.fields.key, file.fields.id};
}

void take_url(const Source& source, FoundFile& file, std::string_view today) {
  if (source.find.url) file.listed.url = source.find.url->fill(file.fields, file.square, today);
}

}  // namespace

FoundFiles found_files(const Source& source, std::vector<ListedFile> listed, std::string_view today) {
  FoundFiles found;
  const SquareFinder squares(source);
  const bool by_name = !source.find.names.empty();
  std::map<Key, FoundFile> newest;
  std::set<std::string> urls;  // of files without names: a listing may name one twice
  for (ListedFile& one : listed) {
    const bool is_ours = one.url.find(source.find.path_has) != std::string::npos;
    const auto fields = by_name && is_ours ? fields_of(source.find, one) : std::optional(NameFields{});
    if (!is_ours || !fields) {
      ++found.others;
      continue;
    }
    FoundFile file{.listed = std::move(one), .fields = *fields};
    if (file.fields.date == 0) file.fields.date = file.listed.date;
    if (source.tiled()) {
      const auto square = squares.of(file.fields, file.listed);
      if (!square || !squares.in_region(*square)) {
        ++(square ? found.outside : found.others);
        continue;
      }
      file.square = *square;
    }
    take_url(source, file, today);
    if (!source.tiled() && !by_name) {
      if (urls.insert(file.listed.url).second) found.files.push_back(std::move(file));
      continue;
    }
    const auto [it, is_first] = newest.try_emplace(key_of(file), file);
    if (is_first) continue;
    // A listing may name the same file twice; that is no older one.
    if (it->second.listed.url != file.listed.url) ++found.older;
    if (file.fields.date > it->second.fields.date) it->second = std::move(file);
  }
  for (auto& [key, file] : newest) found.files.push_back(std::move(file));
  return found;
}

tl::unexpected<Failure> nothing_listed(const Source& source, const std::string& url) {
  return fail(FailureKind::invalid_input,
              url + ": lists nothing that looks like " + source.title +
                  "; the office may have changed its names, which a recipe of your own can follow");
}

Result<FoundFiles> files_by_number(const Source& source, const AreaOnMap& area, std::string_view today) {
  const TileGrid& grid = source.grid;
  const Box first = square_around(grid, {area.box().min_x, area.box().min_y});
  const double columns = std::ceil((area.box().max_x - first.min_x) / grid.size);
  const double rows = std::ceil((area.box().max_y - first.min_y) / grid.size);
  if (!(columns * rows <= static_cast<double>(kMostListed)))
    return fail(FailureKind::invalid_input,
                source.id + ": the area has more than a million squares; name a smaller one");
  FoundFiles found;
  for (int row = 0; row < static_cast<int>(rows); ++row)
    for (int column = 0; column < static_cast<int>(columns); ++column) {
      FoundFile file;
      file.square = square_at(grid, first.min_x + column * grid.size, first.min_y + row * grid.size);
      if (!area.touches(file.square)) continue;
      file.fields.east = std::round(file.square.min_x / grid.unit);
      file.fields.north = std::round(file.square.min_y / grid.unit);
      take_url(source, file, today);
      found.files.push_back(std::move(file));
    }
  return found;
}

}  // namespace geo::offices
