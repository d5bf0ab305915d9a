// What the SVG pictures show, read back with a strict XML parser.
#include "geo/drawing/pictures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <locale>

#include "drawn_property.hpp"
#include "geo/drawing/german_text.hpp"
#include "geo/drawing/text_width.hpp"
#include "geo/shapes/shape_algebra.hpp"
#include "svg_reader.hpp"

namespace {

using testing::HasSubstr;
using testing::StartsWith;

class Pictures : public testing::TestWithParam<int> {
 protected:
  std::string surface_svg(int width) {
    auto svg = geo::draw_surface_svg(property.analysis, 7, property.scene, width);
    EXPECT_TRUE(svg) << svg.error().text;
    return svg.value_or("");
  }
  std::string overview_svg(int width) {
    auto svg = geo::draw_overview_svg(property.analysis, property.scene, width);
    EXPECT_TRUE(svg) << svg.error().text;
    return svg.value_or("");
  }
  /// Pixels a metre, from the eaves' length on the roof's outline.
  static double scale_of(const geo::Ring& outline) {
    return std::hypot(outline[1].x - outline[0].x, outline[1].y - outline[0].y) /
           test::DrawnProperty::kEaves_m;
  }
  static geo::Ring outline_of(const test::SvgReader& svg) {
    return test::ring_of_path(svg.one("path", "[@class='outline']").attributes["d"]);
  }
  test::DrawnProperty property;
};

INSTANTIATE_TEST_SUITE_P(Widths, Pictures, testing::Values(200, 800, 2000));

TEST_P(Pictures, AreWellFormedAndAsWideAsAskedFor) {
  for (const std::string& svg : {surface_svg(GetParam()), overview_svg(GetParam())}) {
    const test::SvgReader reader(svg);
    ASSERT_TRUE(reader.well_formed());
    EXPECT_EQ(reader.one("svg").number("width"), GetParam());
    EXPECT_GT(reader.one("svg").number("height"), GetParam() / 2);
  }
}

TEST_P(Pictures, ShowEveryPossibleModuleInsideTheOutlineAndInItsTrueForm) {
  const test::SvgReader svg(surface_svg(GetParam()));
  ASSERT_TRUE(svg.well_formed());
  const auto modules = svg.all("path", "[@class='module']");
  EXPECT_EQ(modules.size(), static_cast<std::size_t>(property.analysis.surfaces[0].modules_possible()));
  EXPECT_EQ(svg.all("path", "[@class='module'][../@class='recommended']").size(), 4u);
  const geo::Ring outline = outline_of(svg);
  const double scale = scale_of(outline);
  for (const auto& module : modules) {
    const geo::Ring corners = test::ring_of_path(module.attributes.at("d"));
    ASSERT_EQ(corners.size(), 4u);
    for (const geo::Point& corner : corners) EXPECT_LT(geo::distance_m({.outer = outline}, corner), 0.02);
    EXPECT_NEAR(std::hypot(corners[1].x - corners[0].x, corners[1].y - corners[0].y),
                test::DrawnProperty::kModuleWidth_m * scale, 0.03);
  }
}

TEST_P(Pictures, KeepTextsInsideThePage) {
  for (const std::string& bytes : {surface_svg(GetParam()), overview_svg(GetParam())}) {
    const test::SvgReader svg(bytes);
    ASSERT_TRUE(svg.well_formed());
    const auto texts = svg.all("text", "[not(@text-anchor)]");
    EXPECT_GT(texts.size(), 10u);
    for (const auto& text : texts) {
      const auto weight = text.attributes.contains("font-weight") ? geo::Weight::bold : geo::Weight::regular;
      const double width = geo::text_width(text.text, text.number("font-size"), weight);
      EXPECT_LE(text.number("x") + width, GetParam()) << text.text;
      EXPECT_GE(text.number("font-size"), 8);
    }
  }
}

TEST_F(Pictures, HaveTrueNorthUpAndTheSameScaleBothWays) {
  const test::SvgReader svg(surface_svg(2000));
  const geo::Ring outline = outline_of(svg);
  const double scale = scale_of(outline);
  const auto& places = property.analysis.surfaces[0].outline_wgs84[0];
  // Metres of a degree at 48.21 degrees north, from the ellipsoid's radii of curvature.
  constexpr double kNorth_m = 111'198.7, kEast_m = 74'318.6;
  ASSERT_EQ(outline.size(), 4u);
  for (std::size_t i = 1; i < outline.size(); ++i) {
    EXPECT_NEAR((outline[i].x - outline[0].x) / scale, (places[i].lon_deg - places[0].lon_deg) * kEast_m,
                0.02);
    EXPECT_NEAR((outline[0].y - outline[i].y) / scale, (places[i].lat_deg - places[0].lat_deg) * kNorth_m,
                0.02);
  }
}

TEST_F(Pictures, HaveANorthArrowThatPointsUp) {
  const test::SvgReader svg(surface_svg(800));
  const auto needle = test::ring_of_path(svg.one("path", "[@class='needle']").attributes["d"]);
  ASSERT_EQ(needle.size(), 3u);
  EXPECT_EQ(needle[0].x, needle[1].x) << "tip and foot stand above each other";
  EXPECT_LT(needle[0].y, needle[1].y);
  EXPECT_EQ(svg.one("text", "[../@id='north-arrow']").text, "N");
}

TEST_P(Pictures, HaveAScaleBarOfTheMapsScale) {
  const test::SvgReader svg(surface_svg(GetParam()));
  const double metres = svg.one("g", "[@id='scale-bar']").number("data-metres");
  const auto bar = svg.all("rect", "[../@id='scale-bar']").at(0);
  EXPECT_NEAR(bar.number("width") / metres, scale_of(outline_of(svg)), 0.01 * scale_of(outline_of(svg)));
  EXPECT_EQ(svg.one("text", "[../@id='scale-bar']").text, geo::german_number(metres, 0) + " m");
}

TEST_F(Pictures, NameTheSurfaceWithItsFigures) {
  const test::SvgReader svg(surface_svg(800));
  const std::string title = svg.all("title", "[../@width]").at(0).text;
  for (const char* part : {"Fläche 7 Südwest", "Neigung 35,0°", "Azimut 30,0°", "14\u00A0Module", "6,16 kWp"})
    EXPECT_THAT(title, HasSubstr(part));
  const std::string text = svg.all_text();
  for (const char* part : {"Fläche 7 Südwest", "35,0°", "30,0° Südwest", "14\u00A0Module", "6,16 kWp",
                           "First", "Traufe", "Störfläche", "Modul empfohlen", "Modul möglich"})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST_F(Pictures, ShowTheFivePointsWithTheirLoss) {
  const test::SvgReader svg(surface_svg(800));
  EXPECT_EQ(svg.all("circle", "[@class='measuring-point'][../@id='map']").size(), 5u);
  for (const char* loss : {"0,5 %", "1,5 %", "2,5 %", "3,5 %", "4,5 %"})
    EXPECT_EQ(svg.all("text", "[@class='label'][.='" + std::string(loss) + "']").size(), 1u) << loss;
}

TEST_P(Pictures, LetNoLabelCoverAnother) {
  const test::SvgReader svg(surface_svg(GetParam()));
  const auto boxes = svg.all("rect", "[@rx]");
  EXPECT_GE(boxes.size(), 5u);
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      const bool apart = boxes[i].number("x") + boxes[i].number("width") <= boxes[k].number("x") + 0.02 ||
                         boxes[k].number("x") + boxes[k].number("width") <= boxes[i].number("x") + 0.02 ||
                         boxes[i].number("y") + boxes[i].number("height") <= boxes[k].number("y") + 0.02 ||
                         boxes[k].number("y") + boxes[k].number("height") <= boxes[i].number("y") + 0.02;
      EXPECT_TRUE(apart);
    }
}

TEST_F(Pictures, DrawTheRidgeAboveAndTheEavesBelow) {
  const test::SvgReader svg(surface_svg(800));
  const auto ridge = svg.one("line", "[@class='ridge'][../@id='map']");
  const auto eaves = svg.one("line", "[@class='eaves'][../@id='map']");
  EXPECT_LT(ridge.number("y1") + ridge.number("y2"), eaves.number("y1") + eaves.number("y2"))
      << "the roof falls to the south-west";
  EXPECT_TRUE(eaves.attributes.contains("stroke-dasharray"));
  EXPECT_FALSE(ridge.attributes.contains("stroke-dasharray"));
}

TEST_F(Pictures, TellRecommendedModulesFromPossibleOnesByForm) {
  const test::SvgReader svg(surface_svg(800));
  EXPECT_EQ(svg.one("g", "[@class='possible']").attributes["fill"], "url(#possible)");
  EXPECT_TRUE(svg.one("g", "[@class='possible']").attributes.contains("stroke-dasharray"));
  EXPECT_FALSE(svg.one("g", "[@class='recommended']").attributes.contains("stroke-dasharray"));
  EXPECT_EQ(svg.all("path", "[@class='cells']").size(), 1u);
}

TEST_P(Pictures, AreWholeInThemselves) {
  for (const std::string& bytes : {surface_svg(GetParam()), overview_svg(GetParam())}) {
    const test::SvgReader svg(bytes);
    EXPECT_TRUE(svg.all("script").empty());
    EXPECT_TRUE(svg.all("foreignObject").empty());
    EXPECT_THAT(svg.one("image").attributes["href"], StartsWith("data:image/jpeg;base64,/9j/"));
    EXPECT_TRUE(svg.all("*", "[@*[starts-with(name(),'on')]]").empty()) << "no event handlers";
  }
}

TEST_F(Pictures, CarryTitleLicenceAndCreator) {
  const test::SvgReader svg(surface_svg(800));
  EXPECT_EQ(svg.one("creator").text, "Roof Analysis Service");
  EXPECT_EQ(svg.one("license").text, "CC BY 4.0");
  EXPECT_EQ(svg.one("title", "[namespace-uri()='http://purl.org/dc/elements/1.1/']").text,
            svg.all("title", "[../@width]").at(0).text);
  EXPECT_THAT(svg.one("rights").text, HasSubstr("© Amt & Söhne <\"Geo\">"));
  EXPECT_THAT(svg.one("rights").text, HasSubstr("Luftbild © Amt"));
}

TEST_F(Pictures, SurviveTextsThatXmlForbids) {
  property.analysis.sources[0].attribution =
      "a\x01"
      "b\xFF"
      "c\xEF\xBF\xBF]]> & <script>alert(1)</script> \xF0\x9F\x8F\xA0";
  const test::SvgReader svg(surface_svg(800));
  ASSERT_TRUE(svg.well_formed());
  EXPECT_TRUE(svg.all("script").empty());
  EXPECT_THAT(svg.one("rights").text, HasSubstr("abc]]> & <script>alert(1)</script> \xF0\x9F\x8F\xA0"));
}

TEST_F(Pictures, OfAllSurfacesNumberThemAsInTheResult) {
  geo::RoofSurface bare = property.analysis.surfaces[0];
  bare.id = 9;
  bare.modules.clear();
  property.analysis.surfaces.push_back(bare);
  const test::SvgReader svg(overview_svg(800));
  EXPECT_EQ(svg.all("g", "[starts-with(@id,'surface-')]").size(), 1u) << "one of the two carries modules";
  EXPECT_EQ(svg.all("text", "[@class='number'][.='7']").size(), 2u) << "on the map and in the list";
  EXPECT_EQ(svg.all("path", "[@class='building']").size(), 1u);
  const std::string text = svg.all_text();
  for (const char* part :
       {"14\u00A0Module", "6,16 kWp", "4\u00A0Module", "1,76 kWp", "1.750 kWh", "Südwest, 35°"})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST_P(Pictures, AreTheSameBytesEveryTimeAndInEveryLocale) {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::string surface = surface_svg(GetParam());
  const std::string overview = overview_svg(GetParam());
  const std::locale before = std::locale::global(std::locale(std::locale(), new Comma));
  EXPECT_EQ(surface_svg(GetParam()), surface);
  EXPECT_EQ(overview_svg(GetParam()), overview);
  std::locale::global(before);
}

TEST_F(Pictures, OfAnUnknownSurfaceOrADamagedSceneFail) {
  EXPECT_EQ(geo::draw_surface_svg(property.analysis, 8, property.scene, 800).error().kind,
            geo::FailureKind::internal);
  property.scene.background.jpeg = "no image";
  EXPECT_EQ(geo::draw_surface_svg(property.analysis, 7, property.scene, 800).error().kind,
            geo::FailureKind::internal);
  EXPECT_EQ(geo::draw_overview_svg(property.analysis, property.scene, 800).error().kind,
            geo::FailureKind::internal);
}

}  // namespace
