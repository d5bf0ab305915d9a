// README.md and /doku show the same figures.
#include "http/description/speed_figures.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>
#include <string>

#include "http/description/pages.hpp"
#include "tests/http/schema_check.hpp"

namespace {

using http::kSpeedFigures;
using ::testing::HasSubstr;

TEST(SpeedFigures, StandInReadmeAndInTheDocumentation) {
  std::ifstream file(ROOF_SOURCE_DIR "/README.md");
  std::stringstream readme;
  readme << file.rdbuf();
  const std::string rate(kSpeedFigures.runs_per_s), processor(kSpeedFigures.processor_ms_a_run),
      steps(kSpeedFigures.stages_ms_a_run);
  EXPECT_THAT(readme.str(),
              HasSubstr("| " + rate + " runs/s; " + processor + " ms of processor time; " + steps + " ms |"));
  const std::string page = http::documentation_page(test::page_context()).body;
  EXPECT_THAT(page,
              HasSubstr(rate + " Analysen in der Sekunde. Jede kostet " + processor +
                        " ms Rechenzeit; alle Schritte einer Analyse zusammen dauern " + steps + " ms"));
}

}  // namespace
