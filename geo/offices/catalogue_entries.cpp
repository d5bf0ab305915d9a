#include "geo/offices/catalogue_entries.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "geo/data/tile_index.hpp"
#include "geo/offices/downloads.hpp"

namespace geo::offices {
namespace {

using Json = nlohmann::ordered_json;

Json outline_json(const Ring& ring) {
  Json corners = Json::array();
  for (const Point p : ring) corners.push_back({p.x, p.y});
  corners.push_back({ring.front().x, ring.front().y});
  return {{"type", "Polygon"}, {"coordinates", Json::array({corners})}};
}

/// `file_day`: when the set's file was written, for a set that was fetched before it was named.
Json entry_of(const ReadySet& set, int file_day) {
  const Source& s = *set.source;
  Json entry{{"id", s.id}, {"kind", geo::name_of(s.kind)}};
  const std::string file = "../" + set.file;  // the entries' own folder lies beside
  entry[s.tiled() ? "index" : "path"] = file;
  if (set.remote) entry["remote"] = true;
  entry["name"] = s.title;
  entry["provider"] = s.provider;
  entry["licence"] = s.licence;
  entry["attribution"] = notice_of(s, set.newest_date, set.fetched > 0 ? set.fetched : file_day);
  if (!s.page.empty()) entry["url"] = s.page;
  if (set.newest_date > 0) entry["year"] = set.newest_date / 10000;
  entry["priority"] = s.priority;
  const bool heights = s.kind == DataKind::dsm || s.kind == DataKind::dtm || s.kind == DataKind::relief;
  if (heights) entry["heights"] = s.heights;
  entry["outline"] = outline_json(s.outline);
  return entry;
}

/// The file's own JSON, or an empty catalogue where there is none.
Result<Json> entries_in(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return Json{{"datasets", Json::array()}};
  std::ifstream in(path, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded() || !json.is_object() || !json.contains("datasets") || !json["datasets"].is_array())
    return fail(FailureKind::invalid_input,
                path.string() +
                    ": is no list of entries any more; mend it, or move it aside and add the region again");
  return json;
}

std::string text_in(const Json& entry, const char* field) {
  return entry.contains(field) && entry[field].is_string() ? entry[field].get<std::string>() : std::string();
}

/// Where nothing was fetched, what the entry says of the fetch's day stays. Of a set that is read at its
/// office the index is what is fetched.
bool notice_stays(const ReadySet& set) {
  if (set.fetched > 0) return false;
  return set.newest_date == 0 || (!set.remote && set.source->notice.find("{fetched}") != std::string::npos);
}

std::string without_step_up(const std::string& path) {
  return path.starts_with("../") ? path.substr(3) : path;
}

}  // namespace

int newest_date_of_tiles(const SetPlan& set, const DataFolder& folder, bool remote) {
  const auto index = TileIndex::open(folder.index_of(*set.source).string());
  const auto rows =
      index ? index->touching(index->bounds(), kMostListed) : tl::make_unexpected(index.error());
  if (!rows) return 0;
  std::map<std::string_view, int> told;
  for (const FoundFile& file : set.found.files) told.emplace(file.listed.url, file.fields.date);
  int newest = 0;
  for (const Tile& row : *rows) {
    if (row.state != TileState::held && !(remote && row.state == TileState::known)) continue;
    const auto planned = told.find(row.url);
    newest = std::max({newest, row.year.value_or(0) * 10000, planned != told.end() ? planned->second : 0});
  }
  return newest;
}

Result<void> name_in_catalogue(const DataFolder& folder, const Recipe& recipe,
                               const std::vector<ReadySet>& sets) {
  const auto path = folder.entries_of(recipe.id);
  auto json = entries_in(path);
  if (!json) return tl::make_unexpected(json.error());
  Json& entries = (*json)["datasets"];
  for (const ReadySet& set : sets) {
    Json made = entry_of(set, day_written(folder.root() / set.file));
    const auto same = std::find_if(entries.begin(), entries.end(), [&](const Json& entry) {
      return entry.is_object() && text_in(entry, "id") == set.source->id;
    });
    if (same == entries.end()) {
      entries.push_back(made);
      continue;
    }
    same->erase("remote");
    if (set.fetched > 0) same->erase("year");
    if (notice_stays(set) && same->contains("attribution")) made.erase("attribution");
    same->update(made);
  }
  if (auto written = write_whole(path, json->dump(1) + "\n"); !written) return written;
  std::error_code error;
  if (std::filesystem::exists(folder.catalogue, error)) return {};
  return write_whole(folder.catalogue, "{\"datasets\": []}\n");
}

Result<std::vector<NamedSet>> named_sets(const DataFolder& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder.entries_folder(), error), end; !error && it != end;
       it.increment(error))
    if (it->path().extension() == ".json") files.push_back(it->path());
  std::sort(files.begin(), files.end());
  std::vector<NamedSet> sets;
  for (const auto& file : files) {
    const auto json = entries_in(file);
    if (!json) return tl::make_unexpected(json.error());
    for (const Json& entry : (*json)["datasets"]) {
      if (!entry.is_object() || text_in(entry, "id").empty()) continue;
      sets.push_back({.region = file.stem().string(),
                      .id = text_in(entry, "id"),
                      .kind = text_in(entry, "kind"),
                      .index = without_step_up(text_in(entry, "index")),
                      .path = without_step_up(text_in(entry, "path")),
                      .attribution = text_in(entry, "attribution"),
                      .licence = text_in(entry, "licence"),
                      .remote = entry.contains("remote") && entry["remote"] == true});
    }
  }
  return sets;
}

}  // namespace geo::offices
