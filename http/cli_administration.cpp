#include "http/cli_administration.hpp"

#include <caf/scoped_actor.hpp>
#include <charconv>

#include "http/cli_config.hpp"
#include "http/cli_inspection.hpp"
#include "persistence/store.hpp"

namespace http {
namespace {

constexpr auto kPatience = std::chrono::seconds(10);

std::string argument(const AdminRequest& request, const std::string& name) {
  const auto it = request.find(name);
  return it == request.end() ? std::string() : it->second;
}

template <class Order>
AdminResult ask(caf::actor_system& system, const actors::Accounts& accounts, const Order& order) {
  AdminResult result{false, "the service does not answer"};
  caf::scoped_actor self(system);
  self->request(accounts, kPatience, order)
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

/// "key add", "key list".
AdminResult administer_keys(caf::actor_system& system, const actors::Service& service,
                            const persistence::Store& store, const AdminRequest& request) {
  const std::string command = argument(request, "command");
  const std::string text = argument(request, "account");
  std::uint64_t account = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), account);
  if (error != std::errc() || end != text.data() + text.size() || account == 0)
    return {false, "--account is not an account id"};
  const auto& shard = service.accounts_for(account);
  if (command == "key add") return ask(system, shard, actors::AddKey{account, argument(request, "name")});
  return result_of(inspect_record(store, "keys/" + text));
}

AdminResult back_up(const persistence::Store& store, const std::string& to) {
  const auto copied = store.copy_to(to);
  return copied ? AdminResult{true, to} : AdminResult{false, copied.error()};
}

}  // namespace

AdminResult administer(caf::actor_system& system, const actors::Service& service,
                       const persistence::Store& store, const AdminRequest& request) {
  const std::string command = argument(request, "command");
  if (command == "account add")
    return ask(system, service.accounts_for(std::uint64_t{0}),
               actors::AddAccount{argument(request, "email"), argument(request, "plan")});
  if (command == "key add" || command == "key list") return administer_keys(system, service, store, request);
  if (command == "backup") return back_up(store, argument(request, "to"));
  if (command == "inspect") {
    const std::string record = argument(request, "record");
    return result_of(record.empty() ? inspect_tables(store) : inspect_record(store, record));
  }
  return {false, "\"" + command + "\" is not a command"};
}

AdminResult administer(const std::string& data_dir, const AdminRequest& request) {
  if (const auto answered = AdminSocket::ask(data_dir, request)) return *answered;
  auto store = persistence::Store::open(data_dir);
  if (!store) return {false, store.error()};
  CommandConfig config;
  caf::actor_system system(config);
  const auto service = actors::Service::start_accounts(system, **store, {});
  AdminResult result = administer(system, service, **store, request);
  service.stop();
  return result;
}

}  // namespace http
