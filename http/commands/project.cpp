// roofd project save, roofd result quarantine|export|discard|give-up: orders about one project, or about what
// was lost of all, with a stopped or a running server. `save` does what the web application does when a
// project's owner saves it; `quarantine` moves a damaged result aside, so that its project can be computed
// again; `export` writes what was moved aside into files, `discard` erases it; `give-up` erases what lies in
// files that are gone.
#include <algorithm>
#include <filesystem>
#include <iostream>

#include "http/commands/administer.hpp"
#include "http/commands/commands.hpp"
#include "http/commands/configuration.hpp"

namespace http {
namespace {

constexpr auto kGiveUp = "give-up";

class ProjectConfig : public CommandConfig {
 public:
  ProjectConfig() {
    opt_group{custom_options_, "global"}
        .add(data_dir, "data-dir", "the service's data directory")
        .add(project, "project", "the project's id; give-up takes none, it is for all");
  }
  std::string data_dir;
  std::string project;
};

class ResultConfig : public ProjectConfig {
 public:
  ResultConfig() { opt_group{custom_options_, "global"}.add(to, "to", "export: directory for the files"); }
  std::string to;
};

/// One of the verbs behind `roofd NOUN`, and its options; an exit code when there is nothing more to do.
std::optional<int> parse(ProjectConfig& config, const std::string& noun,
                         const std::vector<std::string>& verbs, const std::string& sentence,
                         const Arguments& arguments) {
  const bool help = !arguments.empty() && arguments[0] == "--help";
  if (!help && (arguments.empty() || std::find(verbs.begin(), verbs.end(), arguments[0]) == verbs.end()))
    return refuse("roofd " + noun + " is followed by " + sentence, 2);
  const Arguments options(arguments.begin() + (help ? 0 : 1), arguments.end());
  if (const auto code = config.parse_or_exit_code(options, "")) return *code;
  if (config.data_dir.empty()) return refuse("--data-dir is missing", 2);
  const bool of_all = arguments[0] == kGiveUp;
  if (config.project.empty() && !of_all) return refuse("--project is missing", 2);
  if (!config.project.empty() && of_all)
    return refuse("give-up is for all projects: --project is not for it", 2);
  return {};
}

int administered(const ProjectConfig& config, const std::string& command, const std::string& to = {}) {
  const AdminResult result =
      administer(config.data_dir, {{"command", command}, {"project", config.project}, {"to", to}});
  if (!result.ok) return refuse(result.text, 1);
  std::cout << result.text << std::endl;
  return 0;
}

}  // namespace

int project_command(const Arguments& arguments) {
  ProjectConfig config;
  if (const auto code = parse(config, "project", {"save"}, "save", arguments)) return *code;
  return administered(config, "project save");
}

int result_command(const Arguments& arguments) {
  ResultConfig config;
  const auto code = parse(config, "result", {"quarantine", "export", "discard", kGiveUp},
                          "quarantine, export, discard or give-up", arguments);
  if (code) return *code;
  const bool exports = arguments[0] == "export";
  if (exports && config.to.empty()) return refuse("--to is missing", 2);
  // The server that writes the files may run in another directory.
  return administered(config, "result " + arguments[0],
                      exports ? std::filesystem::absolute(config.to).string() : std::string());
}

}  // namespace http
