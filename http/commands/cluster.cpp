// roofd cluster status and promote: asks the member of a pair that runs on this machine.
#include "http/commands/administer.hpp"
#include "http/commands/commands.hpp"
#include "http/commands/configuration.hpp"

namespace http {
namespace {

class ClusterCommandConfig : public CommandConfig {
 public:
  ClusterCommandConfig() {
    opt_group{custom_options_, "global"}
        .add(data_dir, "data-dir", "the service's data directory")
        .add(force, "force", "promote: although what was acknowledged may be lost");
  }
  std::string data_dir;
  bool force = false;
};

}  // namespace

int cluster_command(const Arguments& arguments) {
  const std::string what = arguments.empty() ? std::string() : arguments[0];
  if (what != "status" && what != "promote" && what != "--help")
    return refuse("roofd cluster is followed by status or promote");
  ClusterCommandConfig config;
  const Arguments options(arguments.begin() + (what == "--help" ? 0 : 1), arguments.end());
  if (const auto code = config.parse_or_exit_code(options, "")) return *code;
  if (config.data_dir.empty()) return refuse("--data-dir is missing");
  AdminRequest request{{"command", "cluster " + what}};
  if (config.force) request["force"] = "yes";
  const auto answered = AdminSocket::ask(config.data_dir, request);
  if (!answered) return refuse(config.data_dir + ": no roofd runs on these data", 1);
  return print(*answered);
}

}  // namespace http
