// A project is deleted by its owner, or all of an account's with the account: every record goes in one batch.
// While the disk has not answered nobody finds the project any more, and what is still under way for it (a
// run, a restart, a saving) finds nothing to write to. The journal keeps the order, so what was written
// before is erased, too.
#include "actors/projects.hpp"
#include "persistence/keys.hpp"

namespace actors {

using persistence::erased;
using persistence::Table;

namespace {

constexpr auto kNotErased = "the data directory cannot be read or written";

/// The spellings and the house that lead to the project.
persistence::Stored<persistence::Writes> addresses_of(const persistence::Store& store,
                                                      const persistence::Project& project) {
  persistence::Writes writes;
  const auto scanned =
      store.scan(Table::addresses, persistence::number_key(project.account),
                 persistence::Store::Order::ascending, {}, [&](std::string_view key, std::string_view value) {
                   if (value.size() == sizeof(project.id) && persistence::number_at(value, 0) == project.id)
                     writes.push_back(erased(Table::addresses, std::string(key)));
                   return true;
                 });
  if (!scanned) return tl::make_unexpected(scanned.error());
  return writes;
}

persistence::Stored<void> add_aside(const persistence::Store& store, const std::string& project_key,
                                    persistence::Writes& writes) {
  return store.scan(Table::aside, project_key, persistence::Store::Order::ascending, {},
                    [&](std::string_view key, std::string_view) {
                      writes.push_back(erased(Table::aside, std::string(key)));
                      return true;
                    });
}

/// Everything that is stored of a project.
persistence::Stored<persistence::Writes> erasure_of(const persistence::Store& store,
                                                    const ProjectEntry& entry) {
  const auto& [project, run] = entry;
  const std::string key = persistence::project_key(project.account, project.id);
  auto writes = addresses_of(store, project);
  if (!writes) return writes;
  for (const Table table : {Table::projects, Table::runs, Table::results, Table::scenes, Table::media})
    writes->push_back(erased(table, key));
  for (const auto kind : {persistence::FileKind::model, persistence::FileKind::orthophoto})
    writes->push_back(erased(Table::files, persistence::file_key(project.account, project.id, kind)));
  writes->push_back(erased(Table::line, persistence::number_key(run.id)));
  writes->push_back(
      erased(Table::expiry, persistence::expiry_key(run.ended_ms, project.account, project.id)));
  if (const auto aside = add_aside(store, key, *writes); !aside) return tl::make_unexpected(aside.error());
  return writes;
}

}  // namespace

caf::result<Answer> ProjectsActor::remove(const Ticket& ticket, const DeleteProject& order) {
  const auto found = shelf_.find(ticket.account, order.project);
  const Refusal fault{.code = Code::interner_fehler, .project = order.project};
  if (!found) return Answer{ticket, fault};
  if (!*found) return Answer{ticket, Refusal{.code = Code::projekt_unbekannt}};
  auto promise = make_response_promise<Answer>();
  remove(**found, ticket.single_project, [promise, ticket, fault](bool on_disk) mutable {
    if (promise.pending()) promise.deliver(Answer{ticket, on_disk ? Outcome(Done{}) : Outcome(fault)});
  });
  return promise;
}

/// `keep_quota`: a test account has one address, and it has had it.
void ProjectsActor::remove(const Entry& entry, bool keep_quota, const Deleted& then) {
  const persistence::Project& project = entry.project;
  const RunRef run{entry.run.id, project.account, project.id};
  // The end that is being stored writes a record under a time that only its writer knows.
  if (ends_.is_storing(run.run)) {
    after_end_.emplace(run.run, [this, run, keep_quota, then] {
      const auto found = shelf_.find(run.account, run.project);
      found&&* found ? remove(**found, keep_quota, then) : then(found.has_value());
    });
    return;
  }
  auto writes = erasure_of(store_, entry);
  if (!writes) return then(false);
  if (keep_quota)
    writes->push_back({Table::addresses,
                       persistence::address_key(project.account, persistence::AddressKind::used, {}),
                       {}});
  if (entry.run.state == persistence::RunState::running) send(peers_.analysts, cancel_atom::value, run);
  results_.forget(run.project);
  shelf_.leaving(run.project);
  commit(
      std::move(*writes),
      [this, run, then](bool on_disk) {
        shelf_.left(run.project);
        then(on_disk);
      },
      [then] { then(false); });
}

caf::result<AdminReply> ProjectsActor::erase(const EraseProjects& order) {
  closed_.insert(order.account);  // a creation that still waits for its address stores nothing
  auto promise = make_response_promise<AdminReply>();
  erase_next(order.account, 0, promise);
  return promise;
}

/// One after the other, so that other accounts have their turn in between.
void ProjectsActor::erase_next(std::uint64_t account, std::size_t erased_before,
                               caf::typed_response_promise<AdminReply> promise) {
  auto refuse = [promise]() mutable {
    if (promise.pending()) promise.deliver(AdminReply{false, kNotErased});
  };
  auto page = shelf_.page(account, {.limit = 1});
  if (!page) return refuse();
  if (page->projects.empty()) {
    persistence::Writes rest;
    const auto scanned =
        store_.scan(Table::addresses, persistence::number_key(account), persistence::Store::Order::ascending,
                    {}, [&](std::string_view key, std::string_view) {
                      rest.push_back(erased(Table::addresses, std::string(key)));
                      return true;
                    });
    if (!scanned) return refuse();
    return commit(std::move(rest), [this, account, promise, erased_before](bool on_disk) mutable {
      // A creation that was on its way to the disk may have come before this batch.
      const auto late = shelf_.page(account, {.limit = 1});
      if (on_disk && late && !late->projects.empty()) return erase_next(account, erased_before, promise);
      const bool done = on_disk && late;
      promise.deliver(AdminReply{done, done ? std::to_string(erased_before) : kNotErased});
    });
  }
  const auto found = shelf_.find(account, page->projects.front().project);
  if (!found || !*found) return refuse();
  remove(**found, false, [this, account, erased_before, promise, refuse](bool on_disk) mutable {
    on_disk ? erase_next(account, erased_before + 1, promise) : refuse();
  });
}

}  // namespace actors
