#include "geo/offices/plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <set>

namespace geo::offices {
namespace {

constexpr double kMB = 1e6;
constexpr std::size_t kMostPackets = 60;  // of a kind; more are a country's, not an area's
constexpr double kRim_deg = 0.01;         // kAreaRim_m and some
constexpr std::size_t kKeyDigits = 5;     // of a German district

bool is_wished(const Wish& wish, const Source& source) {
  if (wish.kinds.empty()) return source.kind != DataKind::orthophoto;
  return std::find(wish.kinds.begin(), wish.kinds.end(), source.kind) != wish.kinds.end();
}

/// Whether a district's or municipality's packet may hold a municipality.
bool may_hold(const std::string& packet, const Area& area) {
  if (packet.empty()) return true;
  if (area.country != "de") return packet == area.key;
  const auto district = [](const std::string& key) { return key.substr(0, kKeyDigits); };
  return district(packet) == district(area.key);
}

/// Leaves out files of which the listing says that they lie elsewhere. A sentence when none is left.
std::string keep_packets_around(const Box& window_deg, SetPlan& set) {
  auto& files = set.found.files;
  const auto elsewhere = std::stable_partition(files.begin(), files.end(), [&](const FoundFile& file) {
    const auto& place = file.listed.place;
    const bool in_degrees = place && place->max_x <= 180 && place->max_y <= 90;
    return !in_degrees || place->overlaps(window_deg);
  });
  std::move(elsewhere, files.end(), std::back_inserter(set.beyond));
  files.erase(elsewhere, files.end());
  return files.empty() ? set.source->id + ": no packet is listed for this area" : "";
}

/// Files that come by district. A sentence when which of them are wanted cannot be told.
std::string keep_packets_of(const std::optional<Area>& area, SetPlan& set) {
  auto& files = set.found.files;
  const bool by_key =
      std::any_of(files.begin(), files.end(), [](const FoundFile& f) { return !f.fields.key.empty(); });
  if (!area || !by_key) return {};
  if (!area->key.empty()) {
    const auto others = std::stable_partition(
        files.begin(), files.end(), [&](const FoundFile& file) { return may_hold(file.fields.key, *area); });
    std::move(others, files.end(), std::back_inserter(set.beyond));
    files.erase(others, files.end());
    return files.empty() ? set.source->id + ": no packet of " + area->text + " (" + area->key + ") is listed"
                         : "";
  }
  if (files.size() <= kMostPackets) return {};
  std::string sentence =
      set.source->id + ": comes in " + std::to_string(files.size()) +
      " packets by municipality, and which of them the area needs is not known; name a town "
      "of the table as --area";
  files.clear();
  return sentence;
}

}  // namespace

void count_files(SetPlan& set) {
  const Source& source = *set.source;
  const auto& files = set.found.files;
  set.bytes_are_told = !files.empty();
  double bytes = 0;
  set.oldest_year = set.newest_year = 0;
  set.here = 0;
  for (const FoundFile& file : files) {
    if (file.is_here) ++set.here;
    set.bytes_are_told = set.bytes_are_told && file.listed.bytes > 0;
    if (!file.is_here)
      bytes += file.listed.bytes > 0 ? static_cast<double>(file.listed.bytes) : source.file_mb * kMB;
    if (const int year = file.fields.year(); year > 0) {
      set.oldest_year = set.oldest_year == 0 ? year : std::min(set.oldest_year, year);
      set.newest_year = std::max(set.newest_year, year);
    }
  }
  constexpr double kRow = 400;  // a tile's row in the index
  if (set.remote) {
    set.disk_bytes = static_cast<std::uint64_t>(kRow * static_cast<double>(files.size()));
    return;
  }
  set.bytes = static_cast<std::uint64_t>(bytes);
  const double kept = source.file_mb > 0 ? source.stored_mb / source.file_mb : 1;
  set.disk_bytes = static_cast<std::uint64_t>(bytes * kept);
}

namespace {

Result<SetPlan> plan_of(const Source& source, const Wish& wish, const ListingStore& listings,
                        std::string_view today) {
  SetPlan set;
  set.source = &source;
  set.remote = wish.remote && source.by_window;
  set.anew = wish.anew;
  set.planned = std::filesystem::file_time_type::clock::now();
  if (wish.area && source.kind != DataKind::addresses) set.window_deg = wish.area->box_deg;
  std::optional<AreaOnMap> map;
  if (source.tiled()) {
    auto made = AreaOnMap::create(wish.area, source.outline, source.crs);
    if (!made) return tl::make_unexpected(made.error());
    map = std::move(*made);
  }
  if (source.find.method == FindMethod::tile_numbers) {
    auto found = files_by_number(source, *map, today);
    if (!found) return tl::make_unexpected(found.error());
    set.found = std::move(*found);
    set.in_region = static_cast<std::size_t>(source.files);
    return set;
  }
  const Box around = wish.area ? wish.area->box_deg.grown(kRim_deg) : Box();
  const Box* window = wish.area ? &around : nullptr;
  auto listed = listings.files_of(source, window, wish.anew);
  if (!listed) return tl::make_unexpected(listed.error());
  set.found = found_files(source, std::move(*listed), today);
  if (set.found.files.empty()) return nothing_listed(source, source.find.urls.front());
  set.all_listed = !(window && source.find.method == FindMethod::stac);
  set.in_region = set.all_listed ? set.found.files.size() : static_cast<std::size_t>(source.files);
  if (map && wish.area)
    std::erase_if(set.found.files, [&](const FoundFile& file) { return !map->touches(file.square); });
  return set;
}

std::string table_line(const std::array<std::string, 7>& cells) {
  constexpr std::array<int, 7> kWidths{-22, 7, 7, 11, 10, 10, 0};
  std::string line = "  ";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto width = static_cast<std::size_t>(std::abs(kWidths[i]));
    const std::string pad(cells[i].size() < width ? width - cells[i].size() : 0, ' ');
    line += kWidths[i] < 0 ? cells[i] + pad : pad + cells[i];
    line += i + 1 < cells.size() ? "  " : "";
  }
  return line + "\n";
}

std::string years_text(const SetPlan& set) {
  if (set.newest_year == 0) return "-";
  return set.oldest_year == set.newest_year
             ? std::to_string(set.newest_year)
             : std::to_string(set.oldest_year) + "-" + std::to_string(set.newest_year);
}

std::string set_line(const SetPlan& set) {
  const std::string about = set.bytes_are_told || set.remote ? "" : "~";
  return table_line({set.source->id, std::to_string(set.found.files.size()), std::to_string(set.here),
                     set.remote ? "index only" : about + size_text(set.bytes),
                     about + size_text(set.disk_bytes), years_text(set),
                     set.source->licence + (set.source->checked ? "" : "  (not checked)")});
}

int newest_date(const SetPlan& set) {
  int date = 0;
  for (const FoundFile& file : set.found.files) date = std::max(date, file.fields.date);
  return date;
}

}  // namespace

std::uint64_t Plan::bytes() const {
  std::uint64_t sum = 0;
  for (const SetPlan& set : sets) sum += set.bytes;
  return sum;
}

std::uint64_t Plan::disk_bytes() const {
  std::uint64_t sum = 0, under_way = 0;
  for (const SetPlan& set : sets) {
    sum += set.disk_bytes;
    if (set.remote || set.here == set.found.files.size()) continue;
    // What is converted lies there in both forms for a while.
    const double files =
        set.source->tiled() ? set.source->connections : static_cast<double>(set.found.files.size());
    under_way = std::max(under_way, static_cast<std::uint64_t>(2 * files * set.source->file_mb * kMB));
  }
  return sum + under_way;
}

Result<Plan> make_plan(const Recipe& recipe, const Wish& wish, const ListingStore& listings,
                       std::string_view today) {
  Plan plan{.recipe = &recipe, .wish = wish, .today = date_of(today)};
  for (const Source& source : recipe.sources) {
    if (!is_wished(wish, source)) continue;
    auto set = plan_of(source, wish, listings, today);
    if (!set && !source.checked && set.error().kind != FailureKind::cancelled) {
      const std::string& why = set.error().text;
      plan.left_out.push_back(why.starts_with(source.id) ? why : source.id + ": " + why);
      continue;
    }
    if (!set) return tl::make_unexpected(set.error());
    std::string why = keep_packets_of(wish.area, *set);
    if (why.empty() && wish.area && source.is_joined())
      why = keep_packets_around(wish.area->box_deg.grown(kRim_deg), *set);
    if (!why.empty()) plan.left_out.push_back(std::move(why));
    if (set->found.files.empty()) continue;
    if (wish.remote && source.tiled() && !source.by_window)
      plan.left_out.push_back(source.id + ": cannot be read at the office in windows; it is fetched");
    count_files(*set);
    plan.sets.push_back(std::move(*set));
  }
  for (const DataKind kind : wish.kinds)
    if (!recipe.source(kind))
      plan.left_out.push_back(recipe.id + " offers no " + geo::name_of(kind) + " that can be had freely");
  if (plan.sets.empty())
    return fail(FailureKind::invalid_input, recipe.id + ": nothing to fetch" +
                                                (plan.left_out.empty() ? "" : "; " + plan.left_out.front()));
  return plan;
}

std::string notice_of(const Source& source, int told, int fetched) {
  const int date = told > 0 ? told : fetched;
  std::array<char, 16> day{};
  std::snprintf(day.data(), day.size(), "%02d.%02d.%04d", date % 100, date / 100 % 100, date / 10000);
  const auto year_of = [](int of) { return of > 0 ? std::to_string(of / 10000) : std::string(); };
  const std::string year = year_of(date);
  std::string notice = source.notice;
  for (const auto& [field, value] : {std::pair<std::string, std::string>{"{year}", year},
                                     {"{date}", date % 100 > 0 ? day.data() : year},
                                     {"{fetched}", year_of(fetched > 0 ? fetched : told)}})
    for (std::size_t at = 0; (at = notice.find(field, at)) != std::string::npos; at += value.size())
      notice.replace(at, field.size(), value);
  return notice;
}

std::string size_text(std::uint64_t bytes) {
  constexpr std::array<const char*, 4> kUnits{"kB", "MB", "GB", "TB"};
  double value = static_cast<double>(bytes) / 1000;
  std::size_t unit = 0;
  while (value >= 1000 && unit + 1 < kUnits.size()) value /= 1000, ++unit;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), value < 10 ? "%.1f %s" : "%.0f %s", value, kUnits[unit]);
  return text.data();
}

std::string text_of(const Plan& plan, std::uint64_t free_bytes) {
  std::string text = plan.recipe->id + ", " + plan.recipe->title;
  text += plan.wish.area ? ": " + plan.wish.area->text + "\n" : ": the whole region\n";
  text += table_line({"set", "files", "here", "to fetch", "on disk", "years", "licence"});
  std::set<std::string> notices;
  for (const SetPlan& set : plan.sets) {
    text += set_line(set);
    notices.insert(notice_of(*set.source, newest_date(set), plan.today));
  }
  text += "  " + size_text(plan.bytes()) + " to fetch; the disk needs " + size_text(plan.disk_bytes()) +
          " and has " + size_text(free_bytes) + " free\n";
  for (const std::string& sentence : plan.left_out) text += "  " + sentence + "\n";
  text += "  whoever shows results shows:\n";
  for (const std::string& notice : notices) text += "    " + notice + "\n";
  return text;
}

}  // namespace geo::offices
