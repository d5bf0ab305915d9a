// The parts that pictures and the model are made of.
#include <gtest/gtest.h>

#include <numeric>

#include "geo/drawing/german_text.hpp"
#include "geo/drawing/image_codec.hpp"
#include "geo/drawing/label_placement.hpp"
#include "geo/drawing/map_margin.hpp"
#include "geo/drawing/outline_algebra.hpp"
#include "geo/drawing/picture_area.hpp"
#include "geo/drawing/roof_edges.hpp"
#include "geo/drawing/text_width.hpp"
#include "geo/shapes/shape_algebra.hpp"

namespace {

TEST(GermanNumbers, HaveCommaPointAndATrueMinus) {
  EXPECT_EQ(geo::german_number(1234567.891, 1), "1.234.567,9");
  EXPECT_EQ(geo::german_number(-12.34, 1), "−12,3");
  EXPECT_EQ(geo::german_number(-0.04, 1), "0,0");
  EXPECT_EQ(geo::german_number(999, 0), "999");
  EXPECT_EQ(geo::german_number(1000, 0), "1.000");
  EXPECT_EQ(geo::german_number(std::nan(""), 1), "0");
}

TEST(PlainNumbers, HaveNoNeedlessDigits) {
  EXPECT_EQ(geo::plain_number(12.50, 2), "12.5");
  EXPECT_EQ(geo::plain_number(100, 0), "100");
  EXPECT_EQ(geo::plain_number(-0.001, 2), "0");
  EXPECT_EQ(geo::plain_number(1e300, 2).size(), 301u);
}

TEST(Directions, FollowTheContractsAzimuth) {
  EXPECT_EQ(geo::direction_name(30, 0), "Süd");
  EXPECT_EQ(geo::direction_name(30, -90), "Ost");
  EXPECT_EQ(geo::direction_name(30, 134), "Nordwest");
  EXPECT_EQ(geo::direction_name(30, 180), "Nord");
  EXPECT_EQ(geo::direction_name(30, -180), "Nord");
  EXPECT_EQ(geo::direction_name(2, 90), "flach");
}

TEST(Attributions, StandOnceEachWithTheirLicence) {
  const geo::Source a{"dsm", "Höhen", "Amt", "CC BY 4.0", "© Amt", "", {}, {}};
  const geo::Source b{"dtm", "Gelände", "Amt", "CC BY 4.0", "© Amt", "", {}, {}};
  const geo::Source c{"climate", "Klima", "Dienst", "CC0", "Dienst, CC0", "", {}, {}};
  EXPECT_EQ(geo::attribution_line({a, b, c}), "© Amt (CC BY 4.0); Dienst, CC0. Daten bearbeitet.");
  EXPECT_EQ(geo::licence_line({a, b, c}), "CC BY 4.0; CC0");
  EXPECT_EQ(geo::attribution_line({}), "");
}

TEST(TextWidth, WrapsAtSpacesAndBreaksOnlyWordsThatAreTooWide) {
  EXPECT_NEAR(geo::text_width("Modul", 10), (1767 + 1253 + 1300 + 1298 + 569) / 204.8, 1e-9);
  EXPECT_EQ(geo::wrapped("Daten der Vermessung, bearbeitet", geo::text_width("Vermessung,", 10), 10),
            (std::vector<std::string>{"Daten der", "Vermessung,", "bearbeitet"}));
  EXPECT_EQ(geo::wrapped("rund 14\u00A0Module", geo::text_width("14\u00A0Module", 10), 10).at(1),
            "14\u00A0Module")
      << "a number stays with its unit";
  std::string whole;
  for (const std::string& line : geo::wrapped("www.geländemodelle.example/ääääääääääääääää", 40, 10)) {
    EXPECT_LE(geo::text_width(line, 10), 40);
    whole += line;
  }
  EXPECT_EQ(whole, "www.geländemodelle.example/ääääääääääääääää");
}

TEST(PictureArea, LeavesRoomAndFitsAPage) {
  for (const geo::Box shown : {geo::Box{0, 0, 40, 2}, {0, 0, 2, 40}, {-5, -5, 5, 5}, {1, 1, 1, 1}}) {
    const geo::Box area = geo::picture_area(shown);
    EXPECT_LE(area.min_x, shown.min_x - 2);
    EXPECT_GE(area.max_y, shown.max_y + 2);
    const double form = (area.max_y - area.min_y) / (area.max_x - area.min_x);
    EXPECT_GE(form, 0.62 - 1e-9);
    EXPECT_LE(form, 1.1 + 1e-9);
  }
}

TEST(ScaleBar, IsARoundLengthThatFits) {
  EXPECT_EQ(geo::round_length_m(10, 99), 5);
  EXPECT_EQ(geo::round_length_m(10, 100), 10);
  EXPECT_EQ(geo::round_length_m(100, 60), 0.5);
  EXPECT_EQ(geo::round_length_m(1, 399), 200);
}

//        ridge
//    +-----------+
//   hip           \        the slope rises to the north
//  +-----+   +-----+
//  eaves |   | eaves
//        +---+  porch: eaves, too
TEST(RoofEdges, AreTheLevelOnesAtTopAndFoot) {
  const geo::Ring outline{{0, 0}, {4, 0}, {4, -1}, {6, -1}, {6, 0}, {10, 0}, {7, 5}, {3, 5}};
  const auto edges = geo::ridge_and_eaves(outline, {0, 0.6});
  const auto count = [&](geo::EdgeKind kind) {
    return std::count_if(edges.begin(), edges.end(), [&](const auto& edge) { return edge.kind == kind; });
  };
  EXPECT_EQ(count(geo::EdgeKind::ridge), 1);
  EXPECT_EQ(count(geo::EdgeKind::eaves), 3);
  EXPECT_TRUE(geo::ridge_and_eaves(outline, {0, 0.01}).empty()) << "a flat roof has neither";
}

TEST(Labels, StandApartAndInsideTheMap) {
  geo::LabelPlacement labels({0, 0, 200, 100});
  std::vector<geo::PixelBox> boxes;
  for (int i = 0; i < 12; ++i) boxes.push_back(labels.place({100, 50}, 30, 12, 4));
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    EXPECT_GE(boxes[i].x, 0);
    EXPECT_LE(boxes[i].bottom(), 100);
    for (std::size_t k = 0; k < i; ++k)
      EXPECT_TRUE(boxes[i].right() <= boxes[k].x || boxes[k].right() <= boxes[i].x ||
                  boxes[i].bottom() <= boxes[k].y || boxes[k].bottom() <= boxes[i].y);
  }
}

TEST(Labels, StayInsideEvenWhenThereIsNoRoom) {
  geo::LabelPlacement labels({0, 0, 40, 20});
  labels.keep_free({0, 0, 40, 20});
  const geo::PixelBox box = labels.place({60, -5}, 30, 12);
  EXPECT_GE(box.x, 0);
  EXPECT_GE(box.y, 0);
  EXPECT_LE(box.right(), 40);
  EXPECT_LE(box.bottom(), 20);
}

TEST(OutlineTriangles, FillAPolygonWithAHole) {
  const geo::Polygon ring{.outer = {{0, 0}, {10, 0}, {10, 8}, {0, 8}},
                          .holes = {{{3, 3}, {3, 5}, {6, 5}, {6, 3}}}};
  double area = 0;
  for (const geo::Triangle& t : geo::triangles_of(ring)) {
    const double twice = (t[1].x - t[0].x) * (t[2].y - t[0].y) - (t[2].x - t[0].x) * (t[1].y - t[0].y);
    EXPECT_GT(twice, 0) << "counter-clockwise";
    area += twice / 2;
  }
  EXPECT_NEAR(area, 74, 1e-9);
  EXPECT_TRUE(geo::triangles_of({.outer = {{0, 0}, {4, 4}, {4, 0}, {0, 4}}}).empty()) << "it crosses itself";
  EXPECT_TRUE(geo::triangles_of({}).empty());
}

TEST(OutlineRests, AreWhatNoRoofCoversButForSlivers) {
  const geo::Polygon house{.outer = {{0, 0}, {10, 0}, {10, 10}, {0, 10}}};
  const geo::Polygon roof{.outer = {{0.3, -1}, {11, -1}, {11, 6}, {0.3, 6}}};
  const auto rest = geo::without({house}, {roof}, 0.45);
  ASSERT_EQ(rest.size(), 1u);
  EXPECT_NEAR(geo::area_m2(rest[0]), 40, 0.5) << "the strip of 0.3 m is the eaves'";
  EXPECT_TRUE(geo::without({house}, {house}, 0.45).empty());
}

TEST(OutlineMiddle, LiesInsideALShape) {
  const geo::Polygon l{.outer = {{0, 0}, {10, 0}, {10, 2}, {2, 2}, {2, 10}, {0, 10}}};
  EXPECT_TRUE(geo::holds(l, geo::middle_of(l)));
}

TEST(ImageCodec, BringsPixelsBackWhereTheyWere) {
  geo::RgbImage image{4, 2, std::vector<std::uint8_t>(24)};
  std::iota(image.rgb.begin(), image.rgb.end(), std::uint8_t{0});
  const auto png = geo::encode_png(image);
  ASSERT_TRUE(png);
  EXPECT_EQ(geo::decode_image(*png)->rgb, image.rgb);
  const auto part = geo::decode_part(*png, {2, 1, 2, 1}, 2, 1);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->rgb, std::vector<std::uint8_t>(image.rgb.begin() + 18, image.rgb.end()));
  EXPECT_FALSE(geo::decode_image("no image at all"));
}

}  // namespace
