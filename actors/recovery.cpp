#include "actors/recovery.hpp"

#include <algorithm>
#include <span>
#include <tuple>

#include "persistence/keys.hpp"
#include "persistence/records.hpp"

namespace actors {
namespace {

using persistence::Table;

/// A run's place in line.
struct Place {
  std::uint64_t run = 0, account = 0, project = 0;
};

class Recovery {
 public:
  Recovery(persistence::Store& store, std::int64_t now_ms) : store_(store), now_ms_(now_ms) {}

  persistence::Stored<std::vector<RunRef>> recover() {
    std::vector<Place> line;
    const auto scanned = store_.scan(
        Table::line, {}, persistence::Store::Order::ascending, {},
        [&line](std::string_view line_key, std::string_view project_key) {
          line.push_back({persistence::number_at(line_key, 0), persistence::number_at(project_key, 0),
                          persistence::number_at(project_key, 8)});
          return true;
        });
    if (!scanned) return tl::make_unexpected(scanned.error());
    settle_all(std::move(line));
    if (!writes_.empty())
      if (const auto done = store_.commit(writes_); !done) return tl::make_unexpected(done.error());
    return std::move(waiting_);
  }

  std::uint64_t unreadable() const { return unreadable_; }

 private:
  static constexpr std::size_t kReadAtOnce = 1000;

  /// In the order in which the records lie in the store: whatever lies in one block of it is read at once.
  /// With 700,000 runs in line that saves seconds, in which a pair would answer nobody.
  void settle_all(std::vector<Place> line) {
    std::sort(line.begin(), line.end(), [](const Place& a, const Place& b) {
      return std::tie(a.account, a.project) < std::tie(b.account, b.project);
    });
    for (std::size_t begin = 0; begin < line.size(); begin += kReadAtOnce)
      settle_batch({line.begin() + static_cast<std::ptrdiff_t>(begin),
                    line.begin() + static_cast<std::ptrdiff_t>(std::min(begin + kReadAtOnce, line.size()))});
    std::sort(waiting_.begin(), waiting_.end(),
              [](const RunRef& a, const RunRef& b) { return a.run < b.run; });
  }

  void settle_batch(std::span<const Place> places) {
    std::vector<std::string> keys;
    for (const Place& place : places) keys.push_back(persistence::project_key(place.account, place.project));
    const auto runs = store_.get_each(Table::runs, keys);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const auto& bytes = runs[i];
      const auto run = bytes && *bytes ? persistence::decode_run(**bytes) : std::nullopt;
      const bool is_gone = bytes && !*bytes;
      // A run that cannot be read stays in line. The next start tries again: by then the disk may answer, or
      // a backup may have been restored.
      if (!run && !is_gone)
        ++unreadable_;
      else
        settle(places[i], keys[i], run);
    }
  }

  /// `newest`: the project's newest run; a place in line may be an older one's.
  void settle(const Place& place, const std::string& project_key, std::optional<persistence::Run> newest) {
    const bool is_this_run = newest && newest->id == place.run;
    if (is_this_run && newest->state == persistence::RunState::waiting) {
      waiting_.push_back({newest->id, newest->account, newest->project});
      return;
    }
    writes_.push_back(persistence::erased(Table::line, persistence::number_key(place.run)));
    if (is_this_run && newest->state == persistence::RunState::running) {
      newest->state = persistence::RunState::failed;
      newest->failure_code = name_of(Code::analyse_abgebrochen);
      newest->failure_reason = "the service ended while it computed";
      newest->ended_ms = now_ms_;
      writes_.push_back({Table::runs, project_key, encode(*newest)});
    }
  }

  persistence::Store& store_;
  std::int64_t now_ms_;
  std::vector<RunRef> waiting_;
  persistence::Writes writes_;
  std::uint64_t unreadable_ = 0;
};

}  // namespace

persistence::Stored<std::vector<RunRef>> recover(persistence::Store& store, const Clock& clock, Log& log) {
  Recovery recovery(store, clock());
  auto waiting = recovery.recover();
  if (recovery.unreadable() > 0)
    log.write(
        LogLevel::error,
        LogLine("runs in line cannot be read and are not computed").field("runs", recovery.unreadable()));
  return waiting;
}

}  // namespace actors
