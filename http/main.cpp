// roofd: selects the command, and nothing else.
#include <sys/stat.h>

#include <algorithm>
#include <iostream>

#include "http/commands/commands.hpp"

namespace {

struct Command {
  const char* name;
  int (*run)(const http::Arguments&);
  const char* what;
};

constexpr Command kCommands[] = {
    {"serve", http::serve_command, "answer requests"},
    {"worker", http::worker_command, "compute analyses for a service on another machine"},
    {"account", http::account_command, "add, grant: make an account, give it full access"},
    {"key", http::key_command, "add, list, revoke: an account's API keys"},
    {"backup", http::backup_command, "copy the data, also while they are being served"},
    {"restore", http::restore_command, "make a data directory of a backup"},
    {"inspect", http::inspect_command, "what the data directory holds, as JSON"},
    {"config", http::config_command, "check: whether roofd could serve with a configuration"},
    {"project", http::project_command, "save: make and store a project's 3D model and orthophoto"},
    {"result", http::result_command,
     "quarantine, export, discard: damaged results; give-up: what was in lost files"},
    {"sample-region", http::sample_region_command, "write a made-up settlement to try the service on"},
    {"geodata", http::geodata_command,
     "list, add, ...: official geodata by region, from the offices' servers"},
    {"cluster", http::cluster_command, "status, promote: one of a pair of machines"},
    {"version", http::version_command, "which build this is"},
};

void print_usage(std::ostream& out) {
  out << "usage: roofd COMMAND [--option=value ...]\n\n";
  for (const Command& command : kCommands) out << "  " << command.name << "\t" << command.what << "\n";
  out << "\nroofd COMMAND --help lists a command's options.\n";
}

}  // namespace

int main(int argc, char** argv) {
  ::umask(S_IRWXG | S_IRWXO);  // files that the program writes are private to its user
  http::Arguments arguments(argv + 1, argv + argc);
  std::replace(arguments.begin(), arguments.end(), std::string("-h"), std::string("--help"));
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "help") {
    print_usage(arguments.empty() ? std::cerr : std::cout);
    return arguments.empty() ? 2 : 0;
  }
  if (arguments[0] == "--version") return http::version_command({});
  for (const Command& command : kCommands)
    if (arguments[0] == command.name) return command.run({arguments.begin() + 1, arguments.end()});
  std::cerr << "roofd: \"" << arguments[0] << "\" is not a command\n";
  print_usage(std::cerr);
  return 2;
}
