// benchmarks/geo/README.md and /doku show the same figures.
#include "http/description/accuracy_figures.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
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

std::string readme() {
  std::ifstream file(ROOF_SOURCE_DIR "/benchmarks/geo/README.md");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string documented() {
  const std::string page = http::documentation_page(test::page_context()).body;
  return page.substr(page.find("<section id=\"genauigkeit\""));
}

TEST(AccuracyFigures, StandInReadmeWithTheSeedTheyAreOf) {
  const std::string text = readme();
  for (const auto& row : kAccuracyFigures)
    EXPECT_THAT(text, HasSubstr("| " + std::string(row.with_footprints) + " | " +
                                std::string(row.without_footprints) + " |"));
  EXPECT_THAT(text, HasSubstr("--first-seed=" + std::to_string(http::kAccuracyFirstSeed)));
}

std::string german(std::string_view figures) {
  std::string text(figures);
  std::replace(text.begin(), text.end(), '.', ',');
  return text;
}

TEST(AccuracyFigures, OfRealBuildingsStandInReadmeAndInTheDocumentation) {
  const std::string text = readme(), list = documented();
  for (const auto& row : http::kRealAccuracyFigures) {
    std::string cells = "|";
    for (const std::string_view cell : {row.villages_with_footprints, row.villages_without,
                                        row.old_town_with_footprints, row.old_town_without})
      ((cells += ' ') += cell) += " |";
    EXPECT_THAT(text, HasSubstr(cells));
    EXPECT_THAT(list, HasSubstr("Dörfer: mit Umrissen " + german(row.villages_with_footprints) + ", ohne " +
                                german(row.villages_without) + "<br>Altstadt: mit Umrissen " +
                                german(row.old_town_with_footprints) + ", ohne " +
                                german(row.old_town_without) + "<"));
  }
}

TEST(AccuracyFigures, OfStatedErrorsStandInReadmeAndInTheDocumentation) {
  const std::string text = readme(), list = documented();
  const auto range = [](std::string_view figures) {
    return boost::replace_all_copy(std::string(figures), " to ", " bis ");
  };
  for (const auto& row : http::kHonestyFigures) {
    EXPECT_THAT(text, HasSubstr("| " + std::string(row.tilt) + " | " + std::string(row.azimuth) + " | " +
                                std::string(row.area) + " |"));
    EXPECT_THAT(list, HasSubstr("Neigung " + range(row.tilt) + "<br>Ausrichtung " + range(row.azimuth) +
                                "<br>Fläche " + range(row.area) + "<"));
  }
}

TEST(AccuracyFigures, StandInTheDocumentationWithDecimalCommas) {
  const std::string list = documented();
  for (const auto& row : kAccuracyFigures)
    for (const std::string_view cell : {row.with_footprints, row.without_footprints, row.target}) {
      std::string first(cell.substr(0, cell.find_first_of(" ,-", 1)));
      std::replace(first.begin(), first.end(), '.', ',');
      EXPECT_THAT(list, HasSubstr(first));
    }
  EXPECT_THAT(list, Not(ContainsRegex("[0-9][.][0-9]")));
}

}  // namespace
