// This test program once more, as a child that runs one disabled test: a program that a test can kill.
#pragma once
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace test {

/// What the child should know goes into the environment before.
inline pid_t started_as_child(const std::string& disabled_test) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::unsetenv("GTEST_TOTAL_SHARDS");  // ctest gives this program a part of the tests
  ::unsetenv("GTEST_SHARD_INDEX");
  const std::string filter = "--gtest_filter=" + disabled_test;
  ::execl("/proc/self/exe", "child", "--gtest_also_run_disabled_tests", "--gtest_brief=1", filter.c_str(),
          nullptr);
  ::_exit(1);
}

}  // namespace test
