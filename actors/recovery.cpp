#include "actors/recovery.hpp"

#include "persistence/keys.hpp"
#include "persistence/records.hpp"

namespace actors {
namespace {

using persistence::Table;

class Recovery {
 public:
  Recovery(persistence::Store& store, std::int64_t now_ms) : store_(store), now_ms_(now_ms) {}

  persistence::Stored<std::vector<RunRef>> recover() {
    const auto scanned = store_.scan(Table::line, {}, persistence::Store::Order::ascending, {},
                                     [this](std::string_view line_key, std::string_view project_key) {
                                       line_keys_.emplace_back(line_key);
                                       project_keys_.emplace_back(project_key);
                                       if (line_keys_.size() == kReadAtOnce) settle_batch();
                                       return true;
                                     });
    if (!scanned) return tl::make_unexpected(scanned.error());
    settle_batch();
    if (!writes_.empty())
      if (const auto done = store_.commit(writes_); !done) return tl::make_unexpected(done.error());
    return std::move(waiting_);
  }

  std::uint64_t unreadable() const { return unreadable_; }

 private:
  // With 600,000 runs in line, reading them one by one takes half a second longer.
  static constexpr std::size_t kReadAtOnce = 1000;

  void settle_batch() {
    const auto runs = store_.get_each(Table::runs, project_keys_);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const auto& bytes = runs[i];
      const auto run = bytes && *bytes ? persistence::decode_run(**bytes) : std::nullopt;
      const bool is_gone = bytes && !*bytes;
      // A run that cannot be read stays in line. The next start tries again: by then the disk may answer, or
      // a backup may have been restored.
      if (!run && !is_gone)
        ++unreadable_;
      else
        settle(line_keys_[i], project_keys_[i], run);
    }
    line_keys_.clear();
    project_keys_.clear();
  }

  /// `newest`: the project's newest run; a place in line may be an older one's.
  void settle(const std::string& line_key, const std::string& project_key,
              std::optional<persistence::Run> newest) {
    const bool is_this_run = newest && newest->id == persistence::number_at(line_key, 0);
    if (is_this_run && newest->state == persistence::RunState::waiting) {
      waiting_.push_back({newest->id, newest->account, newest->project});
      return;
    }
    writes_.push_back(persistence::erased(Table::line, line_key));
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
  std::vector<std::string> line_keys_, project_keys_;  // of the batch being read
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
