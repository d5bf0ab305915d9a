#include "actors/recovery.hpp"

#include "persistence/keys.hpp"
#include "persistence/records.hpp"

namespace actors {
namespace {

using persistence::Table;

class Recovery {
 public:
  Recovery(persistence::Store& store, std::int64_t now_ms) : store_(store), now_ms_(now_ms) {}

  persistence::Stored<std::vector<RunRef>> all() {
    const auto scanned = store_.scan(Table::line, {}, persistence::Store::Order::ascending, {},
                                     [this](std::string_view line_key, std::string_view project_key) {
                                       line_keys_.emplace_back(line_key);
                                       project_keys_.emplace_back(project_key);
                                       if (line_keys_.size() == kReadAtOnce) look_at_runs();
                                       return true;
                                     });
    if (!scanned) return tl::make_unexpected(scanned.error());
    look_at_runs();
    if (!writes_.empty())
      if (const auto done = store_.commit(writes_); !done) return tl::make_unexpected(done.error());
    return std::move(waiting_);
  }

 private:
  static constexpr std::size_t kReadAtOnce = 1000;  // with 600,000 in line one by one takes a second

  void look_at_runs() {
    const auto runs = store_.get_each(Table::runs, project_keys_);
    for (std::size_t i = 0; i < runs.size(); ++i)
      // One that cannot be read keeps its place: it is looked for again at the next start, when the disk may
      // answer or a copy has taken the damaged one's place.
      if (runs[i]) look_at(line_keys_[i], project_keys_[i], *runs[i]);
    line_keys_.clear();
    project_keys_.clear();
  }

  void look_at(const std::string& line_key, const std::string& project_key,
               const std::optional<std::string>& bytes) {
    auto run = bytes ? persistence::decode_run(*bytes) : std::nullopt;
    const bool in_line = run && run->id == persistence::number_at(line_key, 0);
    if (in_line && run->state == persistence::RunState::waiting) {
      waiting_.push_back({run->id, run->account, run->project});
      return;
    }
    writes_.push_back(persistence::erased(Table::line, line_key));
    if (in_line && run->state == persistence::RunState::running) {
      run->state = persistence::RunState::failed;
      run->failure_code = name_of(Code::analyse_abgebrochen);
      run->failure_reason = "the service ended while it computed";
      run->ended_ms = now_ms_;
      writes_.push_back({Table::runs, project_key, encode(*run)});
    }
  }

  persistence::Store& store_;
  std::int64_t now_ms_;
  std::vector<std::string> line_keys_, project_keys_;  // read from the line, not yet looked at
  std::vector<RunRef> waiting_;
  persistence::Writes writes_;
};

}  // namespace

persistence::Stored<std::vector<RunRef>> recover(persistence::Store& store, const Clock& clock) {
  return Recovery(store, clock()).all();
}

}  // namespace actors
