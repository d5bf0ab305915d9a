// A damaged result is moved aside by an operator's order. One batch copies its bytes unchanged to a table of
// their own and erases them from the results. The project then has no result, and POST computes it again.
// Only a damaged result is moved, and it stays there until an operator discards it. What lies in a file that
// is gone is given up by an order of its own: its bytes may come back with the file.
#include "actors/admin_order.hpp"
#include "actors/projects/projects.hpp"
#include "persistence/keys.hpp"
#include "persistence/lost_records.hpp"
#include "persistence/result_codec.hpp"

namespace actors {

using persistence::Table;

namespace {

constexpr auto kDirectoryUnwritable = ": the data directory cannot be written";

std::string named(const persistence::LostRecords& lost) {
  std::string text;
  const auto add = [&](bool is_lost, const char* what) {
    if (is_lost) text += (text.empty() ? "" : ", ") + std::string(what);
  };
  add(lost.result, "result");
  add(lost.scene && !lost.result, "pictures");
  add(lost.saved, "saved model and orthophoto");
  return text;
}

persistence::Run without_design(persistence::Run run) {
  run.design_kwp = run.design_kwh = 0;
  return run;
}

}  // namespace

caf::result<AdminReply> ProjectsActor::quarantine(const QuarantineResult& order) {
  const std::string name = "project " + std::to_string(order.project);
  const auto found = shelf_.find(order.account, order.project);
  if (!found) return AdminReply{false, name + " cannot be read"};
  if (!*found) return AdminReply{false, name + " does not exist"};
  const std::string key = persistence::project_key(order.account, order.project);
  const auto stored = store_.get(Table::results, key);
  if (stored && !*stored) return AdminReply{false, name + " has no stored result"};
  if (stored && persistence::decode_result(**stored))
    return AdminReply{false, name + " has a result that can be read; it stays"};
  const auto bytes = store_.get_unverified(Table::results, key);
  if (!bytes || !*bytes) return AdminReply{false, name + " has a result whose bytes the disk does not give"};
  const persistence::Run without = without_design((*found)->run);
  open_writes_.begin(order.project);
  return carry_out(*this, at_journal_, peers_.journal,
                   {{Table::aside, persistence::aside_key(order.account, order.project, clock_()), **bytes},
                    {Table::runs, key, encode(without)},
                    persistence::erased(Table::results, key)},
                   [this, name, without, size = (*bytes)->size()](bool on_disk) {
                     if (on_disk) put_without_result(without);
                     written(without.project);
                     if (!on_disk) return AdminReply{false, name + kDirectoryUnwritable};
                     return AdminReply{true, name + ": " + std::to_string(size) + " bytes moved aside"};
                   });
}

caf::result<AdminReply> ProjectsActor::give_up(const GiveUpLost& order) {
  const std::string name = "project " + std::to_string(order.project);
  const auto found = shelf_.find(order.account, order.project);
  if (!found) return AdminReply{false, name + " cannot be read"};
  if (!*found) return AdminReply{false, name + " does not exist"};
  const persistence::LostRecords lost = persistence::lost_records_of(store_, order.account, order.project);
  if (!lost.any()) return AdminReply{false, name + " has lost nothing"};
  auto writes = persistence::erasures_of(lost, order.account, order.project);
  const persistence::Run without = without_design((*found)->run);
  if (lost.result)
    writes.push_back({Table::runs, persistence::project_key(order.account, order.project), encode(without)});
  open_writes_.begin(order.project);
  return carry_out(*this, at_journal_, peers_.journal, std::move(writes),
                   [this, name, without, lost](bool on_disk) {
                     if (on_disk && lost.result) put_without_result(without);
                     written(without.project);
                     if (!on_disk) return AdminReply{false, name + kDirectoryUnwritable};
                     return AdminReply{true, name + ": " + named(lost)};
                   });
}

void ProjectsActor::put_without_result(const persistence::Run& without) {
  results_.forget(without.project);
  const auto now = shelf_.find(without.account, without.project);
  if (now && *now && (*now)->run.id == without.id) (*now)->run.design_kwp = (*now)->run.design_kwh = 0;
}

caf::result<AdminReply> ProjectsActor::discard(const DiscardAside& order) {
  const std::string name = "project " + std::to_string(order.project);
  persistence::Writes writes;
  const auto scanned =
      store_.scan(Table::aside, persistence::project_key(order.account, order.project),
                  persistence::Store::Order::ascending, {}, [&](std::string_view key, std::string_view) {
                    writes.push_back(persistence::erased(Table::aside, std::string(key)));
                    return true;
                  });
  if (!scanned) return AdminReply{false, name + ": the data directory cannot be read"};
  if (writes.empty()) return AdminReply{false, name + " has nothing aside"};
  const std::string done = name + ": " + std::to_string(writes.size()) + " discarded";
  open_writes_.begin(order.project);
  return carry_out(*this, at_journal_, peers_.journal, std::move(writes),
                   [this, name, done, project = order.project](bool on_disk) {
                     written(project);
                     return on_disk ? AdminReply{true, done} : AdminReply{false, name + kDirectoryUnwritable};
                   });
}

}  // namespace actors
