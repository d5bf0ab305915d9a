// Pictures of pages held against kept ones. ROOF_RENEW_PICTURES=1 makes those anew: look at them before you
// commit them.
#pragma once
#include <string>
#include <vector>

#include "tests/browser/browser.hpp"

namespace test {

struct PictureRules {
  /// What differs from run to run: dates, keys. Its place stays, empty.
  std::vector<std::string> hidden;
  /// Of one element; empty: of the whole page, or of what the window shows.
  std::string of;
  bool window_only = false;
  /// Where the kept picture is, below the project.
  std::string folder = "tests/browser/pictures";
  /// A pixel differs when one of its colours does by more than this, of 255.
  int tolerance = 48;
  double differing_share_max = 0.005;
};

/// Share of the pixels that differ by more than `tolerance`; 1 when a size differs or one is no PNG.
double differing_share(const std::string& png, const std::string& other, int tolerance);

/// A picture that differs is left in the build folder, beside the test's others.
void expect_looks_like(Browser& browser, const std::string& name, const PictureRules& rules = {},
                       const TestLine& at = {});

}  // namespace test
