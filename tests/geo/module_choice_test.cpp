#include "geo/layout/module_choice.hpp"

#include <gtest/gtest.h>

namespace {

/// A layout drawn with 'm' for a module, the ridge above.
std::vector<geo::ModuleRect> drawn(const std::vector<std::string>& rows) {
  std::vector<geo::ModuleRect> modules;
  for (std::size_t r = rows.size(); r-- > 0;)
    for (std::size_t c = 0; c < rows[r].size(); ++c)
      if (rows[r][c] != ' ')
        modules.push_back({{}, static_cast<int>(rows.size() - 1 - r), static_cast<int>(c)});
  return modules;
}

/// The same drawing with 'X' for a chosen module.
std::vector<std::string> chosen(std::vector<std::string> rows, int count) {
  const auto modules = drawn(rows);
  for (const std::size_t i : geo::choose_modules(modules, count)) {
    const auto row = rows.size() - 1 - static_cast<std::size_t>(modules[i].row);
    rows[row][static_cast<std::size_t>(modules[i].col)] = 'X';
  }
  return rows;
}

using Drawing = std::vector<std::string>;

TEST(ModuleChoice, FillsRowsFromTheRidge) {
  EXPECT_EQ(chosen({"mmmm",  //
                    "mmmm",  //
                    "mmmm"},
                   6),
            (Drawing{"XXXX",  //
                     "mXXm",  //
                     "mmmm"}));
}

TEST(ModuleChoice, StaysTogetherUnderTheShortRowOfAHip) {
  EXPECT_EQ(chosen({"    mm    ",  //
                    "  mmmmmm  ",  //
                    "mmmmmmmmmm"},
                   5),
            (Drawing{"    XX    ",  //
                     "  mXXXmm  ",  //
                     "mmmmmmmmmm"}));
}

TEST(ModuleChoice, DoesNotJumpOverAGap) {
  EXPECT_EQ(chosen({"mm mmmm",  //
                    "mm mmmm"},
                   5),
            (Drawing{"mm XXXX",  //
                     "mm mXmm"}));
}

TEST(ModuleChoice, GoesOnInTheNextPartWhenTheLargestIsFull) {
  EXPECT_EQ(chosen({"m mmm"}, 4), (Drawing{"X XXX"}));
}

TEST(ModuleChoice, TakesAllWhenMoreAreAskedForAndNoneForNone) {
  EXPECT_EQ(chosen({"mm"}, 7), (Drawing{"XX"}));
  EXPECT_EQ(chosen({"mm"}, 0), (Drawing{"mm"}));
  EXPECT_EQ(chosen({"mm"}, -1), (Drawing{"mm"}));
  EXPECT_TRUE(geo::choose_modules({}, 3).empty());
}

}  // namespace
