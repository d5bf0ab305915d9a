// README and /doku show the same figures.
#include "http/html/accuracy_figures.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "http/html/sections.hpp"

namespace {

TEST(AccuracyFigures, StandInReadmeAsInTheDocumentation) {
  std::ifstream file(ROOF_SOURCE_DIR "/README.md");
  std::stringstream readme;
  readme << file.rdbuf();
  ASSERT_FALSE(readme.str().empty());
  for (const auto& row : http::html::kAccuracyFigures) {
    const std::string cells =
        "| " + std::string(row.with_footprints) + " | " + std::string(row.without_footprints) + " |";
    EXPECT_NE(readme.str().find(cells), std::string::npos) << cells;
    EXPECT_NE(http::html::accuracy_list().find(row.with_footprints), std::string::npos) << row.what;
  }
}

}  // namespace
