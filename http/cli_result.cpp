// roofd result quarantine: moves a damaged result aside, so that its project can be computed anew; with the
// server stopped and with it running.
#include <iostream>

#include "http/cli.hpp"
#include "http/cli_administration.hpp"
#include "http/cli_config.hpp"

namespace http {
namespace {

class ResultConfig : public CommandConfig {
 public:
  ResultConfig() {
    opt_group{custom_options_, "global"}
        .add(data_dir, "data-dir", "the service's data directory")
        .add(project, "project", "the id of the project whose result is damaged");
  }
  std::string data_dir;
  std::string project;
};

int refuse(const std::string& sentence, int code) {
  std::cerr << "roofd: " << sentence << "\n";
  return code;
}

}  // namespace

int result_command(const Arguments& arguments) {
  const bool help = !arguments.empty() && arguments[0] == "--help";
  if (!help && (arguments.empty() || arguments[0] != "quarantine"))
    return refuse("roofd result is followed by quarantine", 2);
  ResultConfig config;
  const Arguments options(arguments.begin() + (help ? 0 : 1), arguments.end());
  if (const auto code = config.parse_or_exit_code(options, "")) return *code;
  if (config.data_dir.empty()) return refuse("--data-dir is missing", 2);
  if (config.project.empty()) return refuse("--project is missing", 2);
  const AdminResult result =
      administer(config.data_dir, {{"command", "result quarantine"}, {"project", config.project}});
  if (!result.ok) return refuse(result.text, 1);
  std::cout << result.text << std::endl;
  return 0;
}

}  // namespace http
