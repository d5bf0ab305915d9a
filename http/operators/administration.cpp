#include "http/operators/administration.hpp"

#include <caf/scoped_actor.hpp>
#include <charconv>

#include "http/operators/inspection.hpp"
#include "http/operators/results_aside.hpp"
#include "persistence/keys.hpp"
#include "persistence/lost_records.hpp"
#include "persistence/store.hpp"

namespace http {
namespace {

constexpr auto kPatienceWithActors = std::chrono::seconds(10);
constexpr auto kDrawingPatience = std::chrono::minutes(3);

std::string argument(const AdminRequest& request, const std::string& name) {
  const auto it = request.find(name);
  return it == request.end() ? std::string() : it->second;
}

/// An id from its decimal text; 0 for any other text.
std::uint64_t id_of(const std::string& text) {
  std::uint64_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  return error == std::errc() && end == text.data() + text.size() ? id : 0;
}

template <class Shard, class Order>
AdminResult ask(caf::actor_system& system, const Shard& shard, const Order& order,
                std::chrono::seconds patience = kPatienceWithActors) {
  AdminResult result{false, "the service does not answer"};
  caf::scoped_actor self(system);
  self->request(shard, patience, order)
      .receive(
          [&](const actors::AdminReply& reply) {
            result = {reply.ok, reply.text};
          },
          [](const caf::error&) {});
  return result;
}

AdminResult result_of(const tl::expected<std::string, std::string>& text) {
  return text ? AdminResult{true, *text} : AdminResult{false, text.error()};
}

/// "key add", "key list", "key revoke".
AdminResult administer_keys(caf::actor_system& system, const actors::Service& service,
                            const persistence::Store& store, const AdminRequest& request) {
  const std::string text = argument(request, "account");
  const std::uint64_t account = id_of(text);
  if (account == 0) return {false, "--account is not an account id"};
  if (argument(request, "command") == "key list") {
    if (!inspect_record(store, "accounts/" + text)) return {false, "account " + text + " does not exist"};
    return result_of(inspect_record(store, "keys/" + text));
  }
  if (argument(request, "command") == "key revoke")
    return ask(system, service.accounts_for(account), actors::RevokeKey{account, argument(request, "key")});
  return ask(system, service.accounts_for(account), actors::AddKey{account, argument(request, "name")});
}

/// A damaged table is not carried into backups, where it would take the place of a whole one.
AdminResult back_up(const persistence::Store& store, const std::string& to) {
  if (const auto damage = store.damaged_table()) return {false, *damage + ": restore the last backup"};
  const auto copied = store.copy_to(to);
  return copied ? AdminResult{true, to} : AdminResult{false, copied.error()};
}

struct OwnedProject {
  std::uint64_t owner = 0, id = 0;
};

/// The project that `text` names; the error is a sentence.
tl::expected<OwnedProject, std::string> project_of(const actors::Service& service, const std::string& text) {
  const std::uint64_t project = id_of(text);
  if (project == 0) return tl::make_unexpected("--project is not a project id");
  const auto owner = service.owner_of(project);
  if (!owner) return tl::make_unexpected("the data directory cannot be read");
  if (!*owner) return tl::make_unexpected("project " + text + " does not exist");
  return OwnedProject{**owner, project};
}

/// All projects that have records in files that are gone.
persistence::Stored<std::vector<OwnedProject>> projects_with_losses(const persistence::Store& store) {
  constexpr std::size_t kProjectAt = 8;  // after the account's 8 bytes
  std::vector<OwnedProject> found;
  const auto scanned = store.scan(
      persistence::Table::projects, {}, persistence::Store::Order::ascending, {},
      [&](std::string_view key, std::string_view) {
        const OwnedProject one{persistence::number_at(key, 0), persistence::number_at(key, kProjectAt)};
        if (persistence::lost_records_of(store, one.owner, one.id).any()) found.push_back(one);
        return true;
      });
  if (!scanned) return tl::make_unexpected(scanned.error());
  return found;
}

/// "result give-up": without it no backup could be made again, because the lost files are part of the data.
AdminResult give_up_lost(caf::actor_system& system, const actors::Service& service,
                         persistence::Store& store) {
  const auto projects = projects_with_losses(store);
  if (!projects) return {false, "the data directory cannot be read"};
  if (projects->empty() && !store.lost_files()) return {false, "no file with results or pictures is gone"};
  std::string told;
  for (const OwnedProject& one : *projects)  // one that was deleted or begun anew meanwhile has lost nothing
    told += ask(system, service.projects_for(one.owner), actors::GiveUpLost{one.owner, one.id}).text + "\n";
  if (const auto dropped = store.drop_lost_files(); !dropped) {
    // The process may have a file open that somebody has removed: it reads what nobody else can.
    return {false,
            told + dropped.error() + "; where the file is open here, stop the service and do it again"};
  }
  return {true, told + "a backup can be made again"};
}

/// Asks the shard of the project that the request names, with an order of the given kind.
template <class Order>
AdminResult ask_project(caf::actor_system& system, const actors::Service& service,
                        const AdminRequest& request, std::chrono::seconds patience = kPatienceWithActors) {
  const auto project = project_of(service, argument(request, "project"));
  if (!project) return {false, project.error()};
  return ask(system, service.projects_for(project->owner), Order{project->owner, project->id}, patience);
}

}  // namespace

AdminResult administer(caf::actor_system& system, const actors::Service& service, persistence::Store& store,
                       const AdminRequest& request) {
  const std::string command = argument(request, "command");
  if (command == "account add")
    return ask(system, service.members(),
               actors::AddAccount{argument(request, "email"), argument(request, "plan")});
  if (command == "account grant") {
    const std::string text = argument(request, "account");
    const std::uint64_t account = id_of(text);
    if (account == 0 && !text.empty()) return {false, "--account is not an account id"};
    return ask(system, service.members(), actors::GrantAccount{account, argument(request, "email")});
  }
  if (command == "key add" || command == "key list" || command == "key revoke")
    return administer_keys(system, service, store, request);
  if (command == "backup") return back_up(store, argument(request, "to"));
  if (command == "inspect") {
    const std::string record = argument(request, "record");
    return result_of(record.empty() ? inspect_tables(store) : inspect_record(store, record));
  }
  if (command == "project save")
    return ask_project<actors::SaveProject>(system, service, request, kDrawingPatience);
  if (command == "result quarantine") return ask_project<actors::QuarantineResult>(system, service, request);
  if (command == "result give-up") return give_up_lost(system, service, store);
  if (command == "result discard") return ask_project<actors::DiscardAside>(system, service, request);
  if (command == "result export") {
    const auto project = project_of(service, argument(request, "project"));
    if (!project) return {false, project.error()};
    return result_of(export_aside(store, project->owner, project->id, argument(request, "to")));
  }
  if (command.starts_with("cluster ")) return {false, "this service is alone, not one of a pair"};
  return {false, "\"" + command + "\" is not a command"};
}

}  // namespace http
