#include "actors/recovery.hpp"

#include "persistence/keys.hpp"
#include "persistence/records.hpp"

namespace actors {

using persistence::Table;

persistence::Stored<std::vector<RunRef>> recover(persistence::Store& store, const Clock& clock) {
  std::vector<RunRef> waiting;
  persistence::Writes writes;
  const auto scanned =
      store.scan(Table::line, {}, persistence::Store::Order::ascending, {},
                 [&](std::string_view line_key, std::string_view project_key) {
                   const auto bytes = store.get(Table::runs, project_key);
                   auto run = bytes && *bytes ? persistence::decode_run(**bytes) : std::nullopt;
                   const bool in_line = run && run->id == persistence::number_at(line_key, 0);
                   if (in_line && run->state == persistence::RunState::waiting) {
                     waiting.push_back({run->id, run->account, run->project});
                     return true;
                   }
                   writes.push_back(persistence::erased(Table::line, std::string(line_key)));
                   if (in_line && run->state == persistence::RunState::running) {
                     run->state = persistence::RunState::failed;
                     run->failure_code = name_of(Code::analyse_abgebrochen);
                     run->failure_reason = "the service ended while it computed";
                     run->ended_ms = clock();
                     writes.push_back({Table::runs, std::string(project_key), encode(*run)});
                   }
                   return true;
                 });
  if (!scanned) return tl::make_unexpected(scanned.error());
  if (!writes.empty())
    if (const auto done = store.commit(writes); !done) return tl::make_unexpected(done.error());
  return waiting;
}

}  // namespace actors
