#include "geo/offices/tile_plan.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>

#include "geo/offices/acquisition.hpp"

namespace geo::offices {
namespace {

/// Whether the office has another file under the same URL now, as far as the listing tells.
bool has_changed(const Tile& row, const Tile& listed) {
  if (!row.sha256.empty() && !listed.sha256.empty()) return row.sha256 != listed.sha256;
  return row.bytes > 0 && listed.bytes > 0 && row.bytes != listed.bytes;
}

/// Whether a listing's sums or sizes tell changes.
bool tells_changes(const Tile& row, const Tile& listed) {
  return (!row.sha256.empty() && !listed.sha256.empty()) || (row.bytes > 0 && listed.bytes > 0);
}

/// By the file's row, if there is one, and the row that the listing would give it.
Standing standing_of(const SetPlan& set, const Tile* row, const Tile& listed, bool here) {
  if (!row) return Standing::wanted;
  const bool same = !has_changed(*row, listed);
  if (here && same) return Standing::here;
  if (same && row->state == TileState::missing && !set.anew) return Standing::missing;
  return here && !set.remote ? Standing::replaced : Standing::wanted;
}

/// One file of the set, and its row if there is one.
void plan_file(std::size_t at, const SetPlan& set, const Tile* row, const DataFolder& folder,
               TilePlan& plan) {
  const FoundFile& file = set.found.files[at];
  const Tile listed = row_as_listed(set, file);
  const bool here = row && is_here(*row, folder);
  const Standing standing = standing_of(set, row, listed, here);
  plan.standings.push_back(standing);
  if (here) plan.locations.emplace(at, row->location);
  if (set.remote) return;
  if (here) plan.witness = listed.url;
  const bool asks = standing == Standing::here && set.anew && !file.listed.member;
  if (asks && !tells_changes(*row, listed) && !row->etag.empty()) plan.etags.emplace(at, row->etag);
}

/// Rows whose square the plan has another file for. Warped tiles lie in no grid; they come in one issue.
std::multimap<GridPlace, Tile> older_rows(const SetPlan& set, const std::vector<Tile>& rows) {
  const Source& source = *set.source;
  std::multimap<GridPlace, Tile> older;
  if (!source.stored_crs.empty()) return older;
  std::set<GridPlace> planned;
  std::set<std::string_view> urls;
  for (const FoundFile& file : set.found.files) {
    planned.insert(place_in_grid(source, file.square));
    urls.insert(file.listed.url);
  }
  for (const Tile& row : rows)
    if (const GridPlace place = place_in_grid(source, row.bounds);
        planned.contains(place) && !urls.contains(row.url))
      older.emplace(place, row);
  return older;
}

}  // namespace

Result<void> count_what_is_here(SetPlan& set, const DataFolder& folder) {
  if (set.source->kind == DataKind::addresses && !set.source->is_joined()) {
    const bool here = are_addresses_here(set, folder);
    for (FoundFile& file : set.found.files) file.is_here = here;
    count_files(set);
    return {};
  }
  std::error_code error;
  if (!set.source->tiled() || !std::filesystem::exists(folder.index_of(*set.source), error)) return {};
  const auto index = TileIndex::open(folder.index_of(*set.source).string());
  if (!index) return {};  // an index without a tile yet
  const auto rows = index->touching(index->bounds(), kMostListed);
  if (!rows) return tl::make_unexpected(rows.error());
  std::set<std::string> here;
  for (const Tile& row : *rows)
    if (row.state == TileState::held) here.insert(row.url);
  for (FoundFile& file : set.found.files) file.is_here = here.contains(file.listed.url);
  count_files(set);
  return {};
}

Result<void> keep_known_squares(SetPlan& set, const DataFolder& folder) {
  const Source& source = *set.source;
  std::error_code error;
  if (!std::filesystem::exists(folder.index_of(source), error)) {
    set.found.files.clear();
    return {};
  }
  const auto index = TileIndexWriter::open(folder.index_of(source).string(), crs_of_tiles(source));
  const auto rows = index ? index->all() : tl::make_unexpected(index.error());
  if (!rows) return tl::make_unexpected(rows.error());
  std::set<GridPlace> squares;
  std::set<std::string> urls;
  for (const Tile& row : *rows) {
    squares.insert(place_in_grid(source, row.bounds));
    urls.insert(row.url);
  }
  std::erase_if(set.found.files, [&](const FoundFile& file) {
    return !urls.contains(file.listed.url) && !squares.contains(place_in_grid(source, file.square));
  });
  count_files(set);
  return {};
}

TilePlan plan_tiles(const SetPlan& set, const std::vector<Tile>& rows, const DataFolder& folder) {
  TilePlan plan;
  plan.older = older_rows(set, rows);
  std::map<std::string_view, const Tile*> by_url;
  for (const Tile& row : rows) by_url.emplace(row.url, &row);
  for (std::size_t i = 0; i < set.found.files.size(); ++i) {
    const auto known = by_url.find(set.found.files[i].listed.url);
    plan_file(i, set, known != by_url.end() ? known->second : nullptr, folder, plan);
  }
  return plan;
}

std::string witness_of(const TilePlan& plan, const std::vector<Tile>& rows, const DataFolder& folder) {
  if (!plan.witness.empty()) return plan.witness;
  const auto last =
      std::find_if(rows.rbegin(), rows.rend(), [&](const Tile& row) { return is_here(row, folder); });
  return last != rows.rend() ? last->url : std::string();
}

}  // namespace geo::offices
