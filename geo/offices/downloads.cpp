#include "geo/offices/downloads.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace geo::offices {
namespace {

using FileTime = std::filesystem::file_time_type;

constexpr std::chrono::hours kDay{24};
constexpr std::chrono::seconds kTick{1};  // a file's time is the kernel's last, just before the true one

/// Of what is the set's own there; no URL's name begins so.
std::string beginning_of_names(const Source& source) { return source.id + "."; }

/// The beginnings of the plan's names: parts and their states have more behind them.
std::set<std::string> download_names(const Plan& plan) {
  std::set<std::string> names;
  for (const SetPlan& set : plan.sets) {
    names.insert(beginning_of_names(*set.source));
    for (const FoundFile& file : set.found.files) names.insert(file_name_of(file.listed.url));
  }
  return names;
}

bool begins_with_one_of(const std::set<std::string>& names, const std::string& text) {
  const auto after = names.upper_bound(text);  // a beginning of it is the last that stands before
  return after != names.begin() && text.starts_with(*std::prev(after));
}

/// Of a download's beginning and of what is written beside it (geo/fetch/part_file.cpp); empty: of neither.
std::string name_of_download_begun(const std::string& name) {
  for (const std::string_view ending : {".part", ".part.state", ".part.state.new"})
    if (name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
  return {};
}

struct BegunDownload {
  std::vector<std::filesystem::path> files;
  FileTime written = FileTime::min();
  std::uint64_t bytes = 0;
};

std::map<std::string, BegunDownload> begun_downloads(const DataFolder& folder) {
  std::map<std::string, BegunDownload> all;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder.downloads(), error), end; !error && it != end;
       it.increment(error)) {
    std::error_code gone;
    const std::string name = name_of_download_begun(it->path().filename());
    if (name.empty() || !it->is_regular_file(gone)) continue;
    BegunDownload& begun = all[name];
    begun.files.push_back(it->path());
    begun.written = std::max(begun.written, it->last_write_time(gone));
    begun.bytes += it->file_size(gone);
  }
  return all;
}

}  // namespace

std::filesystem::path workplace_of(const Source& source, const DataFolder& folder) {
  return folder.downloads() / (beginning_of_names(source) + "parts");
}

FileTime oldest_good_download(const SetPlan& set, const DataFolder& folder) {
  if (!set.anew) return set.planned - kDay * set.source->refresh_days;
  const auto note = folder.downloads() / (beginning_of_names(*set.source) + "update");
  std::error_code error;
  if (was_written_since(set.planned - kDay, note)) return std::filesystem::last_write_time(note, error);
  if (write_whole(note, "")) std::filesystem::last_write_time(note, set.planned, error);
  return set.planned;
}

bool was_written_since(FileTime time, const std::filesystem::path& file) {
  std::error_code error;
  const auto written = std::filesystem::last_write_time(file, error);
  return !error && written + kTick >= time;
}

int day_written(const std::filesystem::path& file) {
  std::error_code error;
  const auto written = std::filesystem::last_write_time(file, error);
  if (error) return 0;
  const std::chrono::year_month_day day(
      std::chrono::floor<std::chrono::days>(FileTime::clock::to_sys(written)));
  return static_cast<int>(day.year()) * 10000 + static_cast<int>(static_cast<unsigned>(day.month())) * 100 +
         static_cast<int>(static_cast<unsigned>(day.day()));
}

Cleared clear_abandoned_parts(const Plan& plan, const DataFolder& folder) {
  const auto names = download_names(plan);
  const FileTime since = FileTime::clock::now() - kDay * kDaysOfAPart;
  Cleared cleared;
  for (const auto& [name, begun] : begun_downloads(folder)) {
    if (begins_with_one_of(names, name) || begun.written >= since) continue;
    ++cleared.downloads;
    cleared.bytes += begun.bytes;
    std::error_code error;
    for (const auto& file : begun.files) std::filesystem::remove(file, error);
  }
  return cleared;
}

void clear_downloads(const Plan& plan, const DataFolder& folder) {
  const auto names = download_names(plan);
  std::vector<std::filesystem::path> ours;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder.downloads(), error), end; !error && it != end;
       it.increment(error))
    if (begins_with_one_of(names, it->path().filename())) ours.push_back(it->path());
  for (const auto& path : ours) std::filesystem::remove_all(path, error);
  std::filesystem::remove(folder.downloads(), error);  // unless something is left there
}

}  // namespace geo::offices
