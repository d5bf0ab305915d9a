// A damaged result is moved aside by an operator's order. One batch copies its bytes unchanged to a table of
// their own and erases them from the results. The project then has no result, and POST computes it again.
// Only a damaged result is moved, and it stays there until an operator discards it. Of one whose file is gone
// nothing is left to move.
#include "actors/admin_order.hpp"
#include "actors/projects/projects.hpp"
#include "persistence/keys.hpp"
#include "persistence/result_codec.hpp"

namespace actors {

using persistence::Table;

namespace {

constexpr auto kDirectoryUnwritable = ": the data directory cannot be written";

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
  const bool gone = !bytes || !*bytes;
  // A disk that fails now may give them later; a file that is not there gives nothing any more.
  if (gone && !store_.lost_results())
    return AdminReply{false, name + " has a result whose bytes the disk does not give"};
  persistence::Run without = (*found)->run;
  without.design_kwp = without.design_kwh = 0;
  persistence::Writes writes{{Table::runs, key, encode(without)}, persistence::erased(Table::results, key)};
  if (!gone)
    writes.push_back({Table::aside, persistence::aside_key(order.account, order.project, clock_()), **bytes});
  const std::string done =
      gone ? "nothing to move, its bytes are gone" : std::to_string((*bytes)->size()) + " bytes moved aside";
  open_writes_.begin(order.project);
  return carry_out(*this, at_journal_, peers_.journal, std::move(writes),
                   [this, name, without, done](bool on_disk) {
                     if (on_disk) put_without_result(without);
                     written(without.project);
                     if (!on_disk) return AdminReply{false, name + kDirectoryUnwritable};
                     return AdminReply{true, name + ": " + done};
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
