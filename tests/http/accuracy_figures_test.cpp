// benchmarks/geo/README.md and /doku show the same figures.
#include "http/description/accuracy_figures.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

#include "http/description/pages.hpp"
#include "tests/http/schema_check.hpp"

namespace {

using http::kAccuracyFigures;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(AccuracyFigures, StandInReadmeWithTheSeedTheyAreOf) {
  std::ifstream file(ROOF_SOURCE_DIR "/benchmarks/geo/README.md");
  std::stringstream readme;
  readme << file.rdbuf();
  for (const auto& row : kAccuracyFigures)
    EXPECT_THAT(readme.str(), HasSubstr("| " + std::string(row.with_footprints) + " | " +
                                        std::string(row.without_footprints) + " |"));
  EXPECT_THAT(readme.str(), HasSubstr("--first-seed=" + std::to_string(http::kAccuracyFirstSeed)));
}

TEST(AccuracyFigures, StandInTheDocumentationWithDecimalCommas) {
  const std::string page = http::documentation_page(test::page_context()).body;
  const std::string list = page.substr(page.find("<section id=\"genauigkeit\""));
  for (const auto& row : kAccuracyFigures)
    for (const std::string_view cell : {row.with_footprints, row.without_footprints, row.target}) {
      std::string first(cell.substr(0, cell.find_first_of(" ,-", 1)));
      std::replace(first.begin(), first.end(), '.', ',');
      EXPECT_THAT(list, HasSubstr(first));
    }
  EXPECT_THAT(list, Not(ContainsRegex("[0-9][.][0-9]")));
}

}  // namespace
