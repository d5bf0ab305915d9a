// roofd backup, restore, inspect and config check: what operators do with a data directory and a
// configuration. Backup and inspect work with a running and with a stopped server.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>

#include "http/commands/administer.hpp"
#include "http/commands/commands.hpp"
#include "http/commands/configuration.hpp"
#include "http/commands/startup.hpp"
#include "persistence/copy_list.hpp"
#include "persistence/store.hpp"

namespace http {
namespace {

namespace fs = std::filesystem;

class CareConfig : public CommandConfig {
 public:
  CareConfig() {
    opt_group{custom_options_, "global"}.add(data_dir, "data-dir", "the service's data directory");
  }
  std::string data_dir;
};

class BackupConfig : public CareConfig {
 public:
  BackupConfig() { opt_group{custom_options_, "global"}.add(to, "to", "directory to write the copy into"); }
  std::string to;
};

class RestoreConfig : public CareConfig {
 public:
  RestoreConfig() { opt_group{custom_options_, "global"}.add(from, "from", "directory that a backup wrote"); }
  std::string from;
};

class InspectConfig : public CareConfig {
 public:
  InspectConfig() {
    opt_group{custom_options_, "global"}.add(record, "record",
                                             "one record, as in accounts/1, emails/owner@example.org, "
                                             "keys/1, projects/1/17, runs/1/17, results/1/17");
  }
  std::string record;
};

/// One rename puts the copied store in its place, so that an incomplete copy is never taken for a store.
AdminResult restore(const std::string& from, const std::string& data_dir) {
  std::error_code error;
  if (!fs::is_directory(from + "/store", error)) return {false, from + ": there is no backup"};
  if (fs::exists(data_dir + "/store", error)) return {false, data_dir + ": there are data already"};
  if (const auto why = not_as_root(data_dir)) return {false, *why};
  const std::string half = data_dir + "/store.restoring";
  const bool fresh = !fs::exists(data_dir, error);
  fs::create_directories(data_dir, error);
  if (!error && fresh) ::chmod(data_dir.c_str(), S_IRWXU);
  if (!error) fs::remove_all(half, error);
  if (!error) fs::copy(from + "/store", half, fs::copy_options::recursive, error);
  if (const auto whole = persistence::check_copy_list(from, half); !error && !whole) {
    fs::remove_all(fresh ? data_dir : half, error);
    return {false, whole.error()};
  }
  ::sync();  // the copy must be on disk before the rename
  if (!error) fs::rename(half, data_dir + "/store", error);
  if (error) return {false, data_dir + ": cannot be written (" + error.message() + ")"};
  const auto store = persistence::Store::open(data_dir);  // a backup is only valid if it opens
  if (!store) return {false, store.error()};
  return {true, data_dir};
}

}  // namespace

int backup_command(const Arguments& arguments) {
  BackupConfig config;
  if (const auto code = config.parse_or_exit_code(arguments, "")) return *code;
  if (config.data_dir.empty()) return refuse("--data-dir is missing", 2);
  if (config.to.empty()) return refuse("--to is missing", 2);
  // The server that writes the copy may run in another directory.
  const std::string to = fs::absolute(config.to).string();
  return print(administer(config.data_dir, {{"command", "backup"}, {"to", to}}));
}

int restore_command(const Arguments& arguments) {
  RestoreConfig config;
  if (const auto code = config.parse_or_exit_code(arguments, "")) return *code;
  if (config.data_dir.empty()) return refuse("--data-dir is missing", 2);
  if (config.from.empty()) return refuse("--from is missing", 2);
  return print(restore(config.from, config.data_dir));
}

int inspect_command(const Arguments& arguments) {
  InspectConfig config;
  if (const auto code = config.parse_or_exit_code(arguments, "")) return *code;
  if (config.data_dir.empty()) return refuse("--data-dir is missing", 2);
  return print(administer(config.data_dir, {{"command", "inspect"}, {"record", config.record}}));
}

int config_command(const Arguments& arguments) {
  const bool help = !arguments.empty() && arguments[0] == "--help";
  if (!help && (arguments.empty() || arguments[0] != "check"))
    return refuse("roofd config is followed by check", 2);
  ServeConfig config;
  const Arguments options(arguments.begin() + (help ? 0 : 1), arguments.end());
  if (const auto code = config.parse_or_exit_code(options, "roofd.conf")) return *code;
  // Any answer says that it runs.
  const bool runs = AdminSocket::ask(config.data_dir, {{"command", "config check"}}).has_value();
  Startup startup = try_startup(config, runs ? Beside::the_service : Beside::nobody);
  if (startup.faults.empty() && !runs) {
    const auto tried = persistence::Store::try_reading(config.data_dir);
    if (tried.fault) startup.faults.push_back(*tried.fault);
    if (tried.loss) startup.warnings.push_back(*tried.loss);
  }
  if (runs)
    startup.notes.push_back(config.data_dir +
                            ": a service runs on these data, so they and the ports were not tried");
  for (const auto* sentences : {&startup.faults, &startup.warnings})
    for (const std::string& sentence : *sentences) refuse(sentence, 2);
  if (!startup.faults.empty()) return 2;
  for (const std::string& note : startup.notes) print({true, note});
  if (!startup.warnings.empty()) return 1;
  return print({true, "roofd can serve with this configuration on " + config.resolved_links().base_url});
}

}  // namespace http
