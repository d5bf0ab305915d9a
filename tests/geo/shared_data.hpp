// Where tests find the real elevation data: the folder named by ROOF_SHARED, else ../shared beside the project.
#pragma once
#include <cstdlib>
#include <filesystem>
#include <string>

namespace test {

inline std::filesystem::path shared_data() {
  if (const char* named = std::getenv("ROOF_SHARED")) return named;
  return std::filesystem::path(__FILE__).parent_path() / "../../../shared";
}

inline bool has_shared_data() { return std::filesystem::exists(shared_data() / "data"); }

}  // namespace test

/// Leaves the test when the real data are not at hand.
#define ROOF_NEEDS_SHARED_DATA() \
  if (!test::has_shared_data()) GTEST_SKIP() << "the shared elevation data are not here (ROOF_SHARED names them)"
