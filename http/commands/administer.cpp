#include "http/commands/administer.hpp"

#include <algorithm>
#include <array>
#include <iostream>

#include "http/commands/commands.hpp"
#include "http/commands/configuration.hpp"
#include "http/operators/administration.hpp"

namespace http {

AdminResult administer(const std::string& data_dir, const AdminRequest& request) {
  if (const auto answered = AdminSocket::ask(data_dir, request)) return *answered;
  auto store = persistence::Store::open(data_dir);
  if (!store) return {false, store.error()};
  // Without the server nothing is sent to the other member, which would lack what is written here.
  constexpr std::array kReads{"key list", "backup", "inspect", "result export"};
  if (!(*store)->history().empty() &&
      std::find(kReads.begin(), kReads.end(), request.at("command")) == kReads.end())
    return {false, data_dir + ": the data belong to a pair; run the command on the member that leads"};
  CommandConfig config;
  caf::actor_system system(config);
  const auto service = actors::Service::start_administration(system, **store, {});
  AdminResult result = administer(system, service, **store, request);
  service.stop();
  return result;
}

int print(const AdminResult& result) {
  if (!result.ok) return refuse(result.text, 1);
  std::cout << result.text << std::endl;
  return 0;
}

}  // namespace http
