// A project is deleted by its owner, or all of an account's with the account: every record goes in one batch.
// The deletion waits until the disk has taken what is being written of the project. While the disk has not
// answered the deletion, nobody finds the project, and what its run tells waits (OpenWrites): it comes to
// nothing when the project is gone, and goes on when the disk refuses.
#include "actors/projects/projects.hpp"
#include "persistence/keys.hpp"

namespace actors {

using persistence::erased;
using persistence::Table;

namespace {

constexpr auto kNotErased = "the data directory cannot be read or written";

Outcome told_of(Deletion end, std::uint64_t project) {
  switch (end) {
    case Deletion::done:
      return Done{};
    case Deletion::unknown:
      return Refusal{.code = Code::projekt_unbekannt};
    case Deletion::refused:
      break;
  }
  return Refusal{.code = Code::interner_fehler, .project = project};
}

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
  auto promise = make_response_promise<Answer>();
  auto tell = [promise, ticket](Outcome outcome) mutable {
    if (promise.pending()) promise.deliver(Answer{ticket, std::move(outcome)});
  };
  remove(
      {.account = ticket.account,
       .project = order.project,
       .keep_quota = ticket.single_project,
       .then = [tell, id = order.project](Deletion end) mutable { tell(told_of(end, id)); },
       .late = [tell, id = order.project]() mutable { tell(late_disk("ob das Projekt gelöscht ist", id)); }});
  return promise;
}

/// Alone: after all that is being written of the project, another deletion among it, and before anything new.
void ProjectsActor::remove(const Removal& removal) {
  const std::uint64_t project = removal.project;
  if (open_writes_.any(project)) return open_writes_.wait(project, [this, removal] { remove(removal); });
  const auto found = shelf_.find(removal.account, project);
  if (!found) return removal.then(Deletion::refused);
  if (!*found) return removal.then(Deletion::unknown);
  auto writes = erasure_of(store_, **found);
  if (!writes) return removal.then(Deletion::refused);
  if (removal.keep_quota)
    writes->push_back({Table::addresses,
                       persistence::address_key(removal.account, persistence::AddressKind::used, {}),
                       {}});
  const RunRef run{(*found)->run.id, removal.account, project};
  shelf_.leaving(project);
  commit(
      project, std::move(*writes),
      [this, run, then = removal.then](bool on_disk) {
        removed(run, on_disk);
        then(on_disk ? Deletion::done : Deletion::refused);
      },
      removal.late);
}

void ProjectsActor::removed(const RunRef& run, bool on_disk) {
  if (!on_disk) return shelf_.stays(run.project);
  results_.forget(run.project);
  shelf_.erased(run.project);
  send(peers_.scheduler, leave_atom::value, run);
  send(peers_.analysts, cancel_atom::value, run);
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
  remove({.account = account,
          .project = page->projects.front().project,
          .keep_quota = false,
          .then =
              [this, account, erased_before, promise, refuse](Deletion end) mutable {
                end == Deletion::refused ? refuse() : erase_next(account, erased_before + 1, promise);
              },
          .late = refuse});
}

}  // namespace actors
