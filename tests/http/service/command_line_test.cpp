// The program's commands: what is wrong ends it before it listens, with exit code 2 and a sentence that names
// it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/http/service/running_service.hpp"

namespace {

using test::run_roofd;
using test::TemporaryFolder;

void expect_refused(const std::vector<std::string>& arguments, const std::vector<std::string>& named) {
  const auto ended = run_roofd(arguments);
  EXPECT_EQ(ended.exit_code, 2) << ended.err;
  for (const std::string& word : named)
    EXPECT_NE(ended.err.find(word), std::string::npos) << word << " in: " << ended.err;
  EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << "one sentence: " << ended.err;
}

std::vector<std::string> serve(const TemporaryFolder& folder, const std::string& catalogue,
                               const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"serve", "--geodata=" + catalogue, "--data-dir=" + folder.path("data"),
                                     "--http.port=0", "--admin.port=0"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(CommandLine, EveryCommandHasHelp) {
  for (const char* command : {"serve", "worker", "account", "key", "backup", "restore", "inspect", "config",
                              "project", "result", "geodata", "sample-region", "cluster", "version"}) {
    const auto ended = run_roofd({command, "--help"});
    EXPECT_EQ(ended.exit_code, 0) << command;
    EXPECT_NE(ended.out.find("--"), std::string::npos) << ended.out;
    EXPECT_EQ(run_roofd({command, "-h"}).out, ended.out) << command;
  }
  EXPECT_EQ(run_roofd({"--help"}).exit_code, 0);
}

TEST(CommandLine, SaysWhichBuildItIs) {
  const auto ended = run_roofd({"version"});
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out, testing::MatchesRegex("roofd, build [0-9a-f]{16,}, .*GDAL.*\n"));
  EXPECT_EQ(run_roofd({"--version"}).out, ended.out);
}

TEST(CommandLine, RefusesUnknownOptionsAndBadValues) {
  const TemporaryFolder folder;
  const std::string good = test::sample_region().catalogue;
  expect_refused(serve(folder, good, {"--nonsense=1"}), {"nonsense"});
  expect_refused(serve(folder, good, {"--http.port=99999"}), {"http.port"});
  expect_refused(serve(folder, good, {"--analysis.slots=0"}), {"analysis.slots"});
  expect_refused(serve(folder, good, {"stray"}), {"stray"});
  expect_refused({"serve", "--data-dir=" + folder.path("data")}, {"--geodata"});
  expect_refused({"serve", "--geodata=" + good}, {"--data-dir"});
  expect_refused({"sample-region", "--out=" + folder.path("r"), "--crs=EPSG:4326"}, {"EPSG:4326"});
  expect_refused({"sample-region", "--out=" + folder.path("r"), "--cell-m=0.3"}, {"0.5"});
  expect_refused({"account", "add", "--data-dir=" + folder.path("data"), "--email=nobody"}, {"--email"});
}

TEST(CommandLine, SaysWhatAnOptionsValueIs) {
  expect_refused({"serve", "--http.port=abc"},
                 {"--http.port=abc is not valid: it is a whole number from 0 to"});
  expect_refused({"serve", "--module.gap=wide"}, {"--module.gap=wide is not valid: it is a number"});
  expect_refused({"serve", "--http.port"}, {"--http.port needs a value: --http.port=NUMBER"});
  expect_refused({"serve", "--http.address="}, {"--http.address needs a value: --http.address=TEXT"});
  expect_refused({"serve", "--http.prt=1"}, {"--http.prt is not an option"});
  expect_refused({"serve", "--http.prt=\"}\\)"}, {"--http.prt is not an option"});
  expect_refused({"serve", "-x"}, {"-x is not an option"});
  expect_refused({"cluster", "promote", "--force=3"}, {"--force=3 is not valid: it is true or false"});
  expect_refused({"sample-region", "--seed=x"}, {"--seed=x is not valid: it is a whole number"});
  expect_refused({"serve", "--cluster.threads=x"},
                 {"--cluster.threads=x is not valid: it is a whole number"});
}

TEST(CommandLine, ASwitchIsTurnedOffAsItIsTurnedOn) {
  const TemporaryFolder folder;
  const auto serves = [&](const std::string& in_file, const std::vector<std::string>& flags) {
    std::ofstream(folder.path("roofd.conf")) << in_file;
    std::vector<std::string> arguments{"config", "check", "--config-file=" + folder.path("roofd.conf"),
                                       "--data-dir=" + folder.path("data"),
                                       "--geodata=" + test::sample_region().catalogue};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    const auto ended = run_roofd(arguments);
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
    return ended.out + ended.err;
  };
  for (const char* flag : {"--offices.offline=false", "--offices.offline=true", "--offices.offline"})
    EXPECT_THAT(serves("", {flag}), testing::HasSubstr("can serve")) << flag;
  serves("[offices]\noffline=true\n", {"--offices.offline=false"});
}

TEST(CommandLine, HelpListsEveryOptionWithItsDefaultAndNoneOfAnotherProgram) {
  const auto ended = run_roofd({"serve", "--help"});
  for (const char* line :
       {"--http.port=NUMBER ", "[8080]", "--mail.smtp-url=TEXT ", "[roofd.conf, if there is one]"})
    EXPECT_THAT(ended.out, testing::HasSubstr(line));
  EXPECT_THAT(ended.out, testing::Not(testing::HasSubstr("caf")));
  EXPECT_THAT(ended.out, testing::Not(testing::HasSubstr("work-stealing")));
  EXPECT_EQ(ended.err, "");
}

TEST(CommandLine, OnlyAccountAddBeginsADataDirectoryAndSaysSo) {
  const TemporaryFolder folder;
  const std::string data = "--data-dir=" + folder.path("misspelt");
  for (const std::vector<std::string>& command : {std::vector<std::string>{"key", "list", "--account=1"},
                                                  {"key", "add", "--account=1", "--name=x"},
                                                  {"account", "grant", "--account=1"},
                                                  {"inspect"},
                                                  {"backup", "--to=" + folder.path("copy")},
                                                  {"project", "save", "--project=1"}}) {
    auto arguments = command;
    arguments.push_back(data);
    const auto ended = run_roofd(arguments);
    EXPECT_EQ(ended.exit_code, 1) << command[0];
    EXPECT_THAT(ended.err, testing::HasSubstr("misspelt: there are no data")) << command[0];
    EXPECT_FALSE(std::filesystem::exists(folder.path("misspelt"))) << command[0];
  }
  const auto added = run_roofd({"account", "add", "--email=anna@example.org", data});
  EXPECT_EQ(added.exit_code, 0);
  EXPECT_THAT(added.err, testing::HasSubstr("misspelt: a new data directory"));
  EXPECT_EQ(run_roofd({"account", "add", "--email=bert@example.org", data}).err, "");
  EXPECT_EQ(run_roofd({"key", "list", "--account=1", data}).out, "[]\n");
  EXPECT_THAT(run_roofd({"key", "list", "--account=9", data}).err,
              testing::HasSubstr("account 9 does not exist"));
}

TEST(CommandLine, RootLeavesNoFilesInAnotherUsersDataDirectory) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root could";
  constexpr uid_t kNobody = 65534;
  const TemporaryFolder folder;
  const std::string theirs = folder.path("data");
  ASSERT_EQ(run_roofd({"account", "add", "--email=a@example.org", "--data-dir=" + theirs}).exit_code, 0);
  ASSERT_EQ(run_roofd({"backup", "--to=" + folder.path("copy"), "--data-dir=" + theirs}).exit_code, 0);
  for (const bool with_store : {true, false}) {
    if (!with_store) std::filesystem::remove_all(theirs + "/store");
    for (const std::string& place : {theirs, theirs + "/store"})
      if (std::filesystem::exists(place)) ASSERT_EQ(::chown(place.c_str(), kNobody, kNobody), 0);
    const auto refused = run_roofd({"account", "add", "--email=b@example.org", "--data-dir=" + theirs});
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_THAT(refused.err, testing::HasSubstr("sudo -u nobody roofd"));
  }
  EXPECT_THAT(run_roofd({"restore", "--from=" + folder.path("copy"), "--data-dir=" + theirs}).err,
              testing::HasSubstr("sudo -u nobody roofd"));
  EXPECT_FALSE(std::filesystem::exists(theirs + "/store"));
}

TEST(CommandLine, AServiceThatIsAloneSaysSoToWhoAsksForThePair) {
  const test::RunningService service;
  EXPECT_THAT(run_roofd({"cluster", "status", "--data-dir=" + service.data_dir()}).err,
              testing::HasSubstr("alone"));
}

TEST(CommandLine, RefusesAnUnknownOptionInTheConfigurationFile) {
  const TemporaryFolder folder;
  std::ofstream(folder.path("roofd.conf")) << "[http]\nprot=8080\n";
  expect_refused(
      serve(folder, test::sample_region().catalogue, {"--config-file=" + folder.path("roofd.conf")}),
      {"http.prot"});
  expect_refused(
      serve(folder, test::sample_region().catalogue, {"--config-file=" + folder.path("absent.conf")}),
      {"absent.conf"});
  expect_refused({"serve", "--config-file=" + folder.path("")}, {"the configuration file cannot be read"});
  expect_refused({"serve", "--config-file="}, {"--config-file needs a value"});
}

TEST(CommandLine, RefusesACatalogueThatDoesNotWorkAndNamesFileAndField) {
  const TemporaryFolder folder;
  const std::string catalogue = folder.path("geodata.json");
  const auto with = [&](const std::string& text) {
    std::ofstream(catalogue) << text;
    return serve(folder, catalogue);
  };
  expect_refused(serve(folder, folder.path("absent.json")), {"absent.json"});
  expect_refused(with("{"), {"geodata.json", "JSON"});
  expect_refused(with("{}"), {"geodata.json", "datasets"});
  expect_refused(with(R"({"datasets": []})"), {"geodata.json", "dsm"});
  expect_refused(with(R"({"datasets": [{"kind": "dsm"}]})"), {"geodata.json", "datasets[0].path"});
  expect_refused(with(R"({"datasets": [{"kind": "dsn", "path": "x"}]})"), {"datasets[0].kind", "dsn"});
  expect_refused(with(R"({"datasets": [{"kind": "dsm", "path": "absent.tif"}]})"),
                 {"datasets[0].path", "absent.tif"});
  expect_refused(with(R"({"datasets": [{"kind": "dsm", "path": "x", "year": "old"}]})"),
                 {"datasets[0].year"});
}

TEST(CommandLine, AccountsAndKeysAreMadeWithTheServerStoppedAndWithItRunning) {
  test::RunningService service;
  const std::string running = service.new_key();
  EXPECT_EQ(service.get("/projekte", running).status, 200);
  service.stop();
  const std::string stopped = service.new_key();
  service.start();
  EXPECT_EQ(service.get("/projekte", stopped).status, 200);
  EXPECT_EQ(service.get("/projekte", running).status, 200);
  EXPECT_TRUE(running.starts_with("dach_"));
}

TEST(CommandLine, OnlyAFingerprintOfAKeyIsStored) {
  test::RunningService service;
  const std::string key = service.new_key();
  service.stop();
  std::size_t stored = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(service.data_dir())) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(in)), {});
    stored += bytes.size();
    EXPECT_EQ(bytes.find(key), std::string::npos) << entry.path();
    EXPECT_EQ(bytes.find(key.substr(5)), std::string::npos) << entry.path();
  }
  EXPECT_GT(stored, 0U);
}

TEST(CommandLine, AnAccountThatDoesNotExistGetsNoKey) {
  test::RunningService service;
  const auto ended =
      run_roofd({"key", "add", "--data-dir=" + service.data_dir(), "--account=4711", "--name=x"});
  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_NE(ended.err.find("4711"), std::string::npos);
}

TEST(CommandLine, APortThatIsTakenEndsTheProgramWithASentence) {
  const test::RunningService service;
  const test::TemporaryFolder folder;
  const auto ended =
      run_roofd({"serve", "--geodata=" + test::sample_region().catalogue, "--data-dir=" + folder.path("data"),
                 "--admin.port=0", "--http.port=" + std::to_string(service.port())});
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_NE(ended.err.find("http.port"), std::string::npos) << ended.err;
}

}  // namespace
