// What lies among the downloads: whole files, parts of some, what is unpacked. It outlives the call that
// fetched it, so that the next one goes on with it, and packets serve several sets.
#pragma once
#include <cstdint>
#include <filesystem>

#include "geo/offices/data_folder.hpp"
#include "geo/offices/plan.hpp"

namespace geo::offices {

/// Where a set's packets are unpacked.
std::filesystem::path workplace_of(const Source& source, const DataFolder& folder);

/// Of when a set's download may be to be taken instead of another one. It grows old as a listing does; an
/// update takes none that is older than itself. One that was stopped goes on within a day: its beginning is
/// noted among the downloads.
std::filesystem::file_time_type oldest_good_download(const SetPlan& set, const DataFolder& folder);

/// False where there is no such file.
bool was_written_since(std::filesystem::file_time_type time, const std::filesystem::path& file);

/// The day in UTC, YYYYMMDD; 0 where there is no such file.
int day_written(const std::filesystem::path& file);

struct Cleared {
  std::size_t downloads = 0;
  std::uint64_t bytes = 0;
};

constexpr int kDaysOfAPart = 30;

/// Removes beginnings of files that nobody goes on with: no call has written to them for kDaysOfAPart days,
/// and the plan does not name their URLs. For who holds the folder's lock: nobody else writes there then. An
/// office that still lists such a file loses us its beginning and no more.
Cleared clear_abandoned_parts(const Plan& plan, const DataFolder& folder);

/// Removes what the plan has brought there, and leaves what belongs to other sets and regions.
void clear_downloads(const Plan& plan, const DataFolder& folder);

}  // namespace geo::offices
