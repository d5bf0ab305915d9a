// A result's bytes: given back exactly, and any damage is noticed.
#include "persistence/result_codec.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include <algorithm>
#include <tuple>

#include "tests/sample_analysis.hpp"

namespace {

using namespace persistence;

bool same(const std::vector<geo::LonLat>& a, const std::vector<geo::LonLat>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const geo::LonLat& p, const geo::LonLat& q) {
    return p.lon_deg == q.lon_deg && p.lat_deg == q.lat_deg;
  });
}

void expect_same_geometry(const geo::RoofSurface& a, const geo::RoofSurface& b) {
  EXPECT_EQ(a.plane.x0, b.plane.x0);
  EXPECT_EQ(a.plane.y0, b.plane.y0);
  EXPECT_EQ(a.plane.z0, b.plane.z0);
  EXPECT_EQ(a.plane.gx, b.plane.gx);
  EXPECT_EQ(a.plane.gy, b.plane.gy);
  EXPECT_EQ(a.outline, b.outline);
  EXPECT_EQ(a.obstacles, b.obstacles);
  EXPECT_TRUE(std::equal(a.outline_wgs84.begin(), a.outline_wgs84.end(), b.outline_wgs84.begin(),
                         b.outline_wgs84.end(), same));
  ASSERT_EQ(a.modules.size(), b.modules.size());
  for (std::size_t i = 0; i < a.modules.size(); ++i) {
    EXPECT_EQ(a.modules[i].corners, b.modules[i].corners);
    EXPECT_EQ(a.modules[i].recommended, b.modules[i].recommended);
  }
}

void expect_same_figures(const geo::RoofSurface& a, const geo::RoofSurface& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.building, b.building);
  EXPECT_EQ(a.plan_area_m2, b.plan_area_m2);
  EXPECT_EQ(a.roof_area_m2, b.roof_area_m2);
  EXPECT_EQ(a.tilt_deg, b.tilt_deg);
  EXPECT_EQ(a.azimuth_deg, b.azimuth_deg);
  EXPECT_EQ(a.ridge_height_m, b.ridge_height_m);
  EXPECT_EQ(a.fit.tilt_error_deg, b.fit.tilt_error_deg);
  EXPECT_EQ(a.fit.azimuth_error_deg, b.fit.azimuth_error_deg);
  EXPECT_EQ(a.fit.area_error_m2, b.fit.area_error_m2);
  EXPECT_EQ(a.fit.residual_m, b.fit.residual_m);
  EXPECT_EQ(a.fit.cells, b.fit.cells);
  EXPECT_EQ(a.fit.coverage_pct, b.fit.coverage_pct);
  EXPECT_EQ(a.fit.below_vegetation, b.fit.below_vegetation);
  EXPECT_EQ(a.portrait, b.portrait);
  EXPECT_EQ(a.modules_recommended, b.modules_recommended);
  EXPECT_EQ(a.yield_kwh_per_kwp, b.yield_kwh_per_kwp);
  ASSERT_EQ(a.shading.has_value(), b.shading.has_value());
  if (!a.shading) return;
  EXPECT_EQ(a.shading->mean_loss_pct, b.shading->mean_loss_pct);
  ASSERT_EQ(a.shading->points.size(), b.shading->points.size());
  for (std::size_t i = 0; i < a.shading->points.size(); ++i) {
    EXPECT_EQ(a.shading->points[i].label, b.shading->points[i].label);
    EXPECT_TRUE(same({a.shading->points[i].place}, {b.shading->points[i].place}));
    EXPECT_EQ(a.shading->points[i].loss_pct, b.shading->points[i].loss_pct);
  }
}

void expect_same_sums(const geo::RoofAnalysis& a, const geo::RoofAnalysis& b) {
  EXPECT_EQ(a.crs_wkt, b.crs_wkt);
  EXPECT_EQ(a.module_power_w, b.module_power_w);
  EXPECT_EQ(a.warnings, b.warnings);
  EXPECT_EQ(a.duration_s, b.duration_s);
  EXPECT_EQ(a.totals.plan_area_m2, b.totals.plan_area_m2);
  EXPECT_EQ(a.totals.roof_area_m2, b.totals.roof_area_m2);
  EXPECT_EQ(a.totals.buildings, b.totals.buildings);
  EXPECT_EQ(a.totals.modules_possible, b.totals.modules_possible);
  EXPECT_EQ(a.totals.demand_kwp, b.totals.demand_kwp);
  EXPECT_EQ(a.totals.design_modules, b.totals.design_modules);
  EXPECT_EQ(a.totals.design_surfaces, b.totals.design_surfaces);
  EXPECT_EQ(a.totals.design_yield_kwh, b.totals.design_yield_kwh);
  ASSERT_EQ(a.sources.size(), b.sources.size());
  for (std::size_t i = 0; i < a.sources.size(); ++i) {
    const auto &x = a.sources[i], &y = b.sources[i];
    EXPECT_EQ(std::tie(x.kind, x.name, x.provider, x.licence, x.attribution, x.url, x.year, x.cell_m),
              std::tie(y.kind, y.name, y.provider, y.licence, y.attribution, y.url, y.year, y.cell_m));
  }
}

void expect_same(const geo::RoofAnalysis& a, const geo::RoofAnalysis& b) {
  expect_same_sums(a, b);
  ASSERT_EQ(a.surfaces.size(), b.surfaces.size());
  for (std::size_t i = 0; i < a.surfaces.size(); ++i) {
    expect_same_figures(a.surfaces[i], b.surfaces[i]);
    expect_same_geometry(a.surfaces[i], b.surfaces[i]);
  }
}

TEST(ResultCodec, GivesAnAnalysisBackAsItWas) {
  const auto analysis = test::sample_analysis();
  const auto read = decode_result(encode_result(analysis).value());
  ASSERT_TRUE(read);
  expect_same(*read, analysis);
}

TEST(ResultCodec, KeepsWhatIsMissingApartFromZero) {
  auto analysis = test::sample_analysis();
  analysis.surfaces[0].building.reset();
  analysis.surfaces[0].ridge_height_m.reset();
  analysis.surfaces[0].yield_kwh_per_kwp.reset();
  analysis.surfaces[0].shading.reset();
  analysis.surfaces[1].building = 0;
  analysis.surfaces[1].ridge_height_m = 0;
  analysis.surfaces[1].yield_kwh_per_kwp = 0;
  analysis.surfaces[1].shading = geo::SurfaceShading{};
  analysis.totals.demand_kwp.reset();
  analysis.totals.design_yield_kwh = 0;
  analysis.sources[0].year.reset();
  analysis.sources[0].cell_m.reset();
  const auto read = decode_result(encode_result(analysis).value());
  ASSERT_TRUE(read);
  expect_same(*read, analysis);
}

TEST(ResultCodec, GivesAnEmptyAnalysisBack) {
  const auto read = decode_result(encode_result({}).value());
  ASSERT_TRUE(read);
  expect_same(*read, {});
}

TEST(ResultCodec, TakesNoFigureThatIsNoNumber) {
  for (const double figure : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    const auto takes = [figure](auto&& place) {
      auto analysis = test::sample_analysis();
      place(analysis) = figure;
      return encode_result(analysis).has_value();
    };
    EXPECT_FALSE(takes([](auto& a) -> double& { return a.duration_s; }));
    EXPECT_FALSE(takes([](auto& a) -> double& { return a.totals.roof_area_m2; }));
    EXPECT_FALSE(takes([](auto& a) -> double& { return a.surfaces[1].tilt_deg; }));
    EXPECT_FALSE(takes([](auto& a) -> double& { return a.surfaces[0].plane.gx; }));
    EXPECT_FALSE(takes([](auto& a) -> double& { return a.surfaces[0].yield_kwh_per_kwp.emplace(); }));
    EXPECT_FALSE(takes([](auto& a) -> double& { return a.surfaces[0].outline_wgs84.at(0).at(0).lon_deg; }));
    EXPECT_FALSE(takes([](auto& a) -> double& { return a.surfaces[0].modules.at(0).corners[3].y; }));
    EXPECT_FALSE(takes([](auto& a) -> double& { return a.surfaces[0].shading->points.at(0).loss_pct; }));
  }
  EXPECT_TRUE(encode_result(test::sample_analysis()));
}

TEST(ResultCodec, GivesTextBackThatIsNoUtf8) {
  auto analysis = test::sample_analysis();
  analysis.sources[0].provider = "Land Th\xfcringen";  // as an old data set may have it
  analysis.surfaces[0].name = "\xff";
  analysis.warnings = {"\x80"};
  const auto read = decode_result(encode_result(analysis).value());
  ASSERT_TRUE(read);
  expect_same(*read, analysis);
}

TEST(ResultCodec, NoticesAnySingleByteThatHasChanged) {
  const std::string good = encode_result(test::sample_analysis()).value();
  for (std::size_t at = 0; at < good.size(); ++at)
    for (const int flip : {0x01, 0x80, 0xff}) {
      std::string bytes = good;
      bytes[at] = static_cast<char>(bytes[at] ^ flip);
      ASSERT_FALSE(decode_result(bytes)) << "byte " << at << ", bits " << flip;
    }
}

TEST(ResultCodec, NoticesAnyTwoBitsThatHaveChanged) {
  const std::string good = encode_result({}).value();
  for (std::size_t i = 0; i < 8 * good.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      std::string bytes = good;
      bytes[i / 8] = static_cast<char>(bytes[i / 8] ^ (1 << i % 8));
      bytes[j / 8] = static_cast<char>(bytes[j / 8] ^ (1 << j % 8));
      ASSERT_FALSE(decode_result(bytes)) << i << ", " << j;
    }
}

TEST(ResultCodec, NoticesThatBytesAreMissingOrTooMany) {
  const std::string good = encode_result(test::sample_analysis()).value();
  for (std::size_t length = 0; length < good.size(); ++length)
    ASSERT_FALSE(decode_result(good.substr(0, length)));
  EXPECT_FALSE(decode_result(good + '\0'));
  EXPECT_FALSE(decode_result(good + good));
  EXPECT_FALSE(decode_result(std::string(good.size(), '\0')));
}

TEST(ResultCodec, RefusesANewerVersionThoughItsChecksumIsRight) {
  // CRC-32 (zlib's) of the two bytes 08 02, "version 2" and nothing else; of 08 01 for comparison.
  EXPECT_TRUE(
      decode_result(std::string("\xfe\x07\xa8\x61"
                                "\x08\x01",
                                6)));
  EXPECT_FALSE(
      decode_result(std::string("\x67\x0e\xf9\xdb"
                                "\x08\x02",
                                6)));
}

}  // namespace
