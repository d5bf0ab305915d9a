// http/packaging against the program: the example configuration names every option with its default, the
// dashboard only figures that there are, OPERATING.md all of them, the Dockerfile all libraries.
#include <gmock/gmock.h>

#include <array>
#include <caf/config_value.hpp>
#include <caf/deep_to_string.hpp>

#include <cstdio>
#include <fstream>
#include <memory>
#include <regex>
#include <set>
#include <sstream>

#include "http/commands/configuration.hpp"
#include "tests/http/service/running_service.hpp"
#include "tests/sanitizers.hpp"

namespace {

std::string file(const std::string& name) {
  std::ifstream in(std::string(ROOF_SOURCE_DIR) + "/" + name);
  std::ostringstream text;
  text << in.rdbuf();
  EXPECT_FALSE(text.str().empty()) << name;
  return text.str();
}

/// The program's own options, as "group.name" -> value, and not CAF's.
std::map<std::string, std::string> options_of(const http::ServeConfig& config) {
  const http::CommandConfig cafs;
  std::map<std::string, std::string> values;
  for (const auto& option : config.options()) {
    if (cafs.options().qualified_name_lookup(option.category(), option.long_name())) continue;
    const std::string group(option.category().begin(), option.category().end());
    const std::string name(option.long_name().begin(), option.long_name().end());
    const auto value = option.get();
    values[group + "." + name] = value ? caf::deep_to_string(*value) : "?";
  }
  return values;
}

TEST(ExampleConfiguration, NamesEveryOptionWithItsDefault) {
  http::ServeConfig defaults, example;
  ASSERT_FALSE(example.parse_or_exit_code(
      {"--config-file=" + std::string(ROOF_SOURCE_DIR) + "/http/packaging/roofd.conf"}, ""));
  EXPECT_EQ(example.fault(), std::nullopt);
  auto expected = options_of(defaults);
  EXPECT_GT(expected.size(), 30U);
  expected["global.geodata"] = caf::deep_to_string(caf::config_value(std::string("/etc/roofd/geodata.json")));
  expected["global.data-dir"] = caf::deep_to_string(caf::config_value(std::string("/var/lib/roofd")));
  EXPECT_EQ(options_of(example), expected);
  const std::string text = file("http/packaging/roofd.conf");
  for (const auto& [name, value] : expected)
    EXPECT_NE(text.find("\n" + name.substr(name.find('.') + 1) + "="), std::string::npos) << name;
}

/// Every family of /metrics by its name, histograms with their three kinds of series.
std::set<std::string> families(const std::string& metrics) {
  std::set<std::string> names;
  std::istringstream lines(metrics);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string hash, what, name, type;
    if (!(words >> hash >> what >> name >> type) || hash != "#" || what != "TYPE") continue;
    names.insert(name);
    if (type == "histogram")
      for (const char* suffix : {"_bucket", "_sum", "_count"}) names.insert(name + suffix);
  }
  return names;
}

TEST(Dashboard, EveryFigureItNamesIsInMetricsAndTheManualNamesAllOfThem) {
  test::RunningService service;
  // Some figures appear only once there is something to count, such as a run that has ended.
  const std::string key = service.new_key();
  const auto project = service.create(key, 0).json()["projekt_id"].get<std::uint64_t>();
  ASSERT_EQ(service.await_result(key, project).status, 200);
  const auto known = families(service.operators("/metrics").body);
  const std::regex figure("(roof|process)_[a-z_]+");
  int named = 0;
  const auto dashboard = nlohmann::json::parse(file("http/packaging/grafana.json"));
  for (const auto& panel : dashboard["panels"])
    for (const auto& target : panel["targets"]) {
      const std::string expression = target["expr"];
      for (std::sregex_iterator it(expression.begin(), expression.end(), figure), end; it != end;
           ++it, ++named)
        // A pair's figures are held to /metrics by tests/faults/pair.py.
        EXPECT_TRUE(known.contains(it->str()) || it->str().starts_with("roof_cluster_"))
            << it->str() << " in " << expression;
    }
  EXPECT_GT(named, 20);
  const std::string manual = file("http/packaging/OPERATING.md");
  for (const std::string& name : known)
    if (!name.ends_with("_bucket") && !name.ends_with("_sum") && !name.ends_with("_count")) {
      EXPECT_NE(manual.find(name), std::string::npos) << name;
    }
}

TEST(Dockerfile, InstallsEveryLibraryThatTheProgramIsLinkedWith) {
  if (test::kUnderSanitizer) GTEST_SKIP() << "with a sanitizer libraries that nobody calls stay linked";
  const std::string dockerfile = file("http/packaging/Dockerfile");
  const std::string command =
      "objdump -p " ROOFD
      " | awk '/NEEDED/ { print $2 }' | grep -v '^ld-linux\\|^libasan\\|^libubsan\\|^libtsan' | while read "
      "-r l; do "
      "dpkg -S \"$(readlink -f /lib/x86_64-linux-gnu/$l)\" 2>/dev/null || "
      "dpkg -S \"/usr$(readlink -f /lib/x86_64-linux-gnu/$l)\"; done 2>/dev/null | cut -d: -f1 | sort -u";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  std::set<std::string> packages;
  std::array<char, 256> line{};
  while (std::fgets(line.data(), line.size(), pipe.get()))
    packages.insert(std::string(line.data()).substr(0, std::string(line.data()).find('\n')));
  packages.erase("libc6");  // every Debian has it
  EXPECT_GE(packages.size(), 10U);
  for (const std::string& package : packages)
    EXPECT_NE(dockerfile.find(" " + package), std::string::npos) << package;
}

}  // namespace
