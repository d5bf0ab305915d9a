// The systemd unit's system call filter on the real program: it works as it does without. Drawing and
// computing still give way to answering, which takes a system call as well.
#include <gtest/gtest.h>
#include <seccomp.h>
#include <signal.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <thread>

#include "tests/http/service/running_service.hpp"
#include "tests/sanitizers.hpp"

namespace {

using Calls = std::set<std::string>;

/// The system calls of one of systemd's groups, with the groups in it resolved; any other name stands for
/// itself.
Calls calls_of(const std::string& name) {
  if (!name.starts_with('@')) return {name};
  Calls calls;
  const std::string command = "systemd-analyze syscall-filter --no-pager " + name;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  std::array<char, 256> line{};
  while (std::fgets(line.data(), line.size(), pipe.get())) {
    std::istringstream words(line.data());
    std::string word;
    if (line[0] != ' ' || !(words >> word) || word.starts_with('#')) continue;
    calls.merge(calls_of(word));
  }
  return calls;
}

/// What the unit's lines allow, one after the other, as systemd.exec(5) reads them.
Calls allowed_by_the_unit() {
  std::ifstream unit(std::string(ROOF_SOURCE_DIR) + "/http/packaging/roofd.service");
  const std::string kOption = "SystemCallFilter=";
  Calls allowed = calls_of("@default");
  for (std::string line; std::getline(unit, line);) {
    if (!line.starts_with(kOption)) continue;
    const bool forbids = line[kOption.size()] == '~';
    std::istringstream names(line.substr(kOption.size() + (forbids ? 1 : 0)));
    for (std::string name; names >> name;)
      for (const std::string& call : calls_of(name))
        forbids ? allowed.erase(call) : allowed.insert(call).second;
  }
  return allowed;
}

/// From now on every other call of this thread, and of the programs that it starts, fails as in the unit.
bool confine_to(const Calls& calls) {
  const std::unique_ptr<void, decltype(&seccomp_release)> filter(seccomp_init(SCMP_ACT_ERRNO(EPERM)),
                                                                 seccomp_release);
  for (const std::string& call : calls) {
    const int number = seccomp_syscall_resolve_name(call.c_str());
    if (number < 0) continue;  // not on this machine's kind of processor
    const int added = seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, number, 0);
    if (added != 0 && added != -EEXIST) return false;
  }
  return seccomp_load(filter.get()) == 0;
}

/// The nice values of a process's threads.
std::multiset<int> nice_values(int pid) {
  constexpr int kNice = 19 - 2;  // the field's place behind the name, which may hold spaces (proc(5))
  std::multiset<int> values;
  for (const auto& task : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task")) {
    std::ifstream stat(task.path() / "stat");
    std::string text((std::istreambuf_iterator<char>(stat)), {});
    std::istringstream fields(text.substr(text.rfind(')') + 1));
    std::string field;
    for (int i = 0; i < kNice && fields >> field; ++i) {
    }
    if (!field.empty()) values.insert(std::stoi(field));
  }
  return values;
}

TEST(SystemCallFilter, AllowsWhatTheServiceDoesAndDrawingStandsBack) {
  if (test::kUnderSanitizer) GTEST_SKIP() << "a sanitizer makes calls of its own";
  if (::system("systemd-analyze --version >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "systemd-analyze is not here";
  const Calls allowed = allowed_by_the_unit();
  ASSERT_GT(allowed.size(), 200U) << "systemd's groups";
  ASSERT_FALSE(allowed.contains("chown")) << "the filter forbids something";
  const std::string catalogue = test::sample_region().catalogue;
  // A filter holds for one thread: the other threads of this test program have none.
  std::thread([&] {
    ASSERT_TRUE(confine_to(allowed));
    test::RunningService service({}, catalogue);
    const std::string key = service.new_key();
    const auto project = service.create(key, 0).json()["projekt_id"].get<std::uint64_t>();
    ASSERT_EQ(service.await_result(key, project).status, 200);
    const std::string pictures = "/projekte/" + std::to_string(project) + "/bilder";
    EXPECT_EQ(service.get(pictures + "/uebersicht?format=png", key).status, 200);
    const auto values = nice_values(service.pid());
    ASSERT_FALSE(values.empty());
    EXPECT_EQ(*values.rbegin(), std::min(*values.begin() + 10, 19)) << "the thread that has drawn";
    service.stop();
  }).join();
}

}  // namespace
