#include "http/commands/administer.hpp"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <iostream>

#include "http/commands/commands.hpp"
#include "http/commands/configuration.hpp"
#include "http/operators/administration.hpp"

namespace http {

std::optional<std::string> not_as_root(const std::string& data_dir) {
  struct stat found {};
  if (::geteuid() != 0) return {};
  if (::stat((data_dir + "/store").c_str(), &found) != 0 && ::stat(data_dir.c_str(), &found) != 0) return {};
  if (found.st_uid == 0) return {};
  const passwd* owner = ::getpwuid(found.st_uid);
  const std::string name = owner ? owner->pw_name : "#" + std::to_string(found.st_uid);
  return data_dir + ": belongs to the user " + name +
         ", whose service could not open what root writes: sudo -u " + name + " roofd ...";
}

AdminResult administer(const std::string& data_dir, const AdminRequest& request) {
  if (const auto answered = AdminSocket::ask(data_dir, request)) return *answered;
  if (::access(data_dir.c_str(), R_OK | X_OK) != 0 && errno == EACCES)
    return {false, data_dir + ": cannot be read by this user (Permission denied)"};
  const bool begins = !persistence::Store::exists(data_dir);
  if (begins && request.at("command") != "account add") return {false, data_dir + ": there are no data"};
  if (const auto why = not_as_root(data_dir)) return {false, *why};
  auto store = persistence::Store::open(data_dir);
  if (!store) return {false, store.error()};
  if (begins) std::cerr << "roofd: " << data_dir << ": a new data directory\n";
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
