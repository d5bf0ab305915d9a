#include "geo/offices/name_pattern.hpp"

#include <gtest/gtest.h>

namespace {

using geo::offices::NameFields;
using geo::offices::NamePattern;

NamePattern pattern(const std::string& text) {
  auto parsed = NamePattern::parse(text);
  if (!parsed) throw std::runtime_error(parsed.error().text);
  return *parsed;
}

TEST(NamePattern, ReadsPlaceAndYearOutOfAName) {
  const auto fields = pattern("dom1_32_{E}_{N}_1_nw_{year}.tif").match("dom1_32_356_5699_1_nw_2020.tif");
  ASSERT_TRUE(fields);
  EXPECT_EQ(*fields->east, 356);
  EXPECT_EQ(*fields->north, 5699);
  EXPECT_EQ(fields->year(), 2020);
}

TEST(NamePattern, ANumberOfAWidthIsCutOffTheZoneBeforeIt) {
  const auto fields = pattern("32{E:3}_{N}_20_DOM.tif").match("32689_5334_20_DOM.tif");
  ASSERT_TRUE(fields);
  EXPECT_EQ(*fields->east, 689);
}

TEST(NamePattern, TakesTheLastOfSeveralYearsAndADateOutOfPieces) {
  EXPECT_EQ(pattern("x_{years}.zip").match("x_2020-2025.zip")->year(), 2025);
  EXPECT_EQ(pattern("x_{years}.zip").match("x_2014.zip")->year(), 2014);
  EXPECT_EQ(pattern("{*}Stichtag {day}.{month}.{year}{*}").match("ALS DSM, Stichtag 15.09.2025")->date,
            20250915);
}

TEST(NamePattern, RefusesNamesOfAnotherForm) {
  const NamePattern dom = pattern("dom1_32_{E}_{N}_1_nw_{year}.tif");
  for (const char* name : {"dgm1_32_356_5699_1_nw_2020.tif", "dom1_32_356_5699_1_nw_2020.tif.zip",
                           "dom1_32_x_5699_1_nw_2020.tif", "dom1_32_356_5699_1_nw_9999.tif", "",
                           "../dom1_32_356_5699_1_nw_2020.tif"})
    EXPECT_FALSE(dom.match(name)) << name;
}

TEST(NamePattern, WritesWhatItReads) {
  NameFields fields;
  fields.east = 11;
  fields.north = 47;
  fields.date = 20250915;
  EXPECT_EQ(pattern("N{N:2}_E{E:3}/{date}/{year}").fill(fields, {}, ""), "N47_E011/20250915/2025");
  EXPECT_EQ(pattern("E({min_x},{max_x})N({min_y},{max_y})&{today}")
                .fill(fields, {1000, 2000, 2000, 3000}, "20261124"),
            "E(1000,2000)N(2000,3000)&20261124");
}

TEST(NamePattern, AHostileNameCostsNoTime) {
  const NamePattern many = pattern("{*}a{*}a{*}a{*}a{*}a{*}a{*}b");
  EXPECT_FALSE(many.match(std::string(500, 'a')));
  EXPECT_FALSE(many.match(std::string(50'000, 'a')));
}

TEST(NamePattern, SaysWhatIsWrongWithAPattern) {
  EXPECT_EQ(NamePattern::parse("{Q}").error().text, "the pattern \"{Q}\" has a field {Q} that is not known");
  EXPECT_EQ(NamePattern::parse("{E").error().text, "the pattern \"{E\" has a brace that is not closed");
  EXPECT_EQ(NamePattern::parse("{E:99}").error().text,
            "the pattern \"{E:99}\" has a width that is not 1 to 9");
}

}  // namespace
