// roofd project save, roofd result quarantine: orders about one project, with the server stopped and with it
// running. `save` is what the web application will ask for when a project's owner saves it; `quarantine`
// moves a damaged result aside, so that its project can be computed anew.
#include <iostream>

#include "http/cli.hpp"
#include "http/cli_administration.hpp"
#include "http/cli_config.hpp"

namespace http {
namespace {

class ProjectConfig : public CommandConfig {
 public:
  ProjectConfig() {
    opt_group{custom_options_, "global"}
        .add(data_dir, "data-dir", "the service's data directory")
        .add(project, "project", "the project's id");
  }
  std::string data_dir;
  std::string project;
};

int refuse(const std::string& sentence, int code) {
  std::cerr << "roofd: " << sentence << "\n";
  return code;
}

/// `roofd NOUN VERB --data-dir=DIR --project=ID`
int project_order(const std::string& noun, const std::string& verb, const Arguments& arguments) {
  const bool help = !arguments.empty() && arguments[0] == "--help";
  if (!help && (arguments.empty() || arguments[0] != verb))
    return refuse("roofd " + noun + " is followed by " + verb, 2);
  ProjectConfig config;
  const Arguments options(arguments.begin() + (help ? 0 : 1), arguments.end());
  if (const auto code = config.parse_or_exit_code(options, "")) return *code;
  if (config.data_dir.empty()) return refuse("--data-dir is missing", 2);
  if (config.project.empty()) return refuse("--project is missing", 2);
  const AdminResult result =
      administer(config.data_dir, {{"command", noun + " " + verb}, {"project", config.project}});
  if (!result.ok) return refuse(result.text, 1);
  std::cout << result.text << std::endl;
  return 0;
}

}  // namespace

int project_command(const Arguments& arguments) { return project_order("project", "save", arguments); }
int result_command(const Arguments& arguments) { return project_order("result", "quarantine", arguments); }

}  // namespace http
