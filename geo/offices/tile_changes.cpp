#include "geo/offices/tile_changes.hpp"

#include <atomic>
#include <mutex>
#include <string_view>

#include "geo/offices/office_network.hpp"

namespace geo::offices {
namespace {

/// A weak ETag (W/"x") is of the same file as the strong one.
std::string_view without_weakness(std::string_view etag) {
  return etag.substr(etag.starts_with("W/") ? 2 : 0);
}

bool is_another(std::string_view etag, std::string_view before) {
  return !etag.empty() && without_weakness(etag) != without_weakness(before);
}

}  // namespace

TileChanges look_for_changes(const SetPlan& set, const std::map<std::size_t, std::string>& etags,
                             Fetcher& fetcher, const RunControl& control) {
  std::vector<std::size_t> files;
  for (const auto& [at, etag] : etags) files.push_back(at);
  TileChanges changes;
  std::mutex mutex;
  std::atomic<bool> is_silent{false};  // its server did not answer
  each_at_once(*set.source, files, control, [&](std::size_t at) {
    if (is_silent) return;
    const auto there = fetcher.probe(set.found.files[at].listed.url, control);
    const std::lock_guard guard(mutex);
    if (there && is_another(there->etag, etags.at(at)))
      changes.files.push_back(at);
    else if (!there && !there.error().missing() && !control.cancelled() && !is_silent.exchange(true))
      changes.failure = there.error().text;
  });
  return changes;
}

}  // namespace geo::offices
