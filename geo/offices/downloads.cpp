#include "geo/offices/downloads.hpp"

#include <chrono>
#include <iterator>
#include <set>
#include <string>
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
