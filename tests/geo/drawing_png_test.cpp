// Pictures as PNG: decoded again, and compared with the reference pictures in tests/geo/pictures.
// ROOF_RENEW_PICTURES=1 makes those anew: look at them before you commit them.
#include "geo/drawing/picture_png.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <sstream>

#include "drawn_property.hpp"
#include "geo/drawing/pictures.hpp"
#include "repository_file.hpp"
#include "svg_reader.hpp"

// The leak checker of the asan preset asks for this: fontconfig keeps its caches until the process ends.
// NOLINTNEXTLINE(bugprone-reserved-identifier): its name is given
extern "C" const char* __lsan_default_suppressions() { return "leak:libfontconfig\n"; }

namespace {

struct Colour {
  int red, green, blue;
};

class Png : public testing::Test {
 protected:
  std::string surface_svg(int width) {
    return geo::draw_surface_svg(property.analysis, 7, property.scene, width).value_or("");
  }
  geo::PictureMetadata metadata() {
    return geo::surface_metadata(property.analysis, 7, property.scene).value();
  }
  static Colour at(const geo::RgbImage& image, double x, double y) {
    const std::size_t i = 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                               static_cast<std::size_t>(x));
    return {image.rgb.at(i), image.rgb.at(i + 1), image.rgb.at(i + 2)};
  }
  test::DrawnProperty property;
};

TEST_F(Png, IsAsWideAsAskedForAndShowsSomething) {
  for (const int width : {200, 800, 2000}) {
    const auto png = geo::svg_to_png(surface_svg(width), width, metadata());
    ASSERT_TRUE(png) << png.error().text;
    const auto image = geo::decode_image(*png);
    ASSERT_TRUE(image);
    EXPECT_EQ(image->width, width);
    const auto dark =
        std::count_if(image->rgb.begin(), image->rgb.end(), [](std::uint8_t v) { return v < 90; });
    EXPECT_GT(dark, static_cast<long>(image->rgb.size() / 50));
  }
}

TEST_F(Png, ShowsTheAerialImageInItsPlace) {
  const std::string svg = surface_svg(1000);
  const test::SvgReader reader(svg);
  const auto outline = test::ring_of_path(reader.one("path", "[@class='outline']").attributes["d"]);
  const double scale =
      std::hypot(outline[1].x - outline[0].x, outline[1].y - outline[0].y) / test::DrawnProperty::kEaves_m;
  const geo::Point middle{(outline[0].x + outline[2].x) / 2, (outline[0].y + outline[2].y) / 2};
  const auto image = geo::decode_image(geo::svg_to_png(svg, 1000, metadata()).value_or(""));
  ASSERT_TRUE(image);
  constexpr double kVeil = 0.38;  // white over what is not the roof
  int seen = 0;
  for (const test::ColouredSquare& square : property.squares)
    for (const double dx : {-0.42, 0.0, 0.42})  // near its sides, too: a shift by 0.3 m is found out
      for (const double dy : {-0.42, 0.42}) {
        const Colour colour =
            at(*image, middle.x + (square.centre.x + dx) * scale, middle.y - (square.centre.y + dy) * scale);
        EXPECT_NEAR(colour.red, square.red * (1 - kVeil) + 255 * kVeil, 14);
        EXPECT_NEAR(colour.green, square.green * (1 - kVeil) + 255 * kVeil, 14);
        EXPECT_NEAR(colour.blue, square.blue * (1 - kVeil) + 255 * kVeil, 14);
        ++seen;
      }
  EXPECT_EQ(seen, 24);
}

TEST_F(Png, CarriesItsTextsAsUtf8) {
  const std::string png = geo::svg_to_png(surface_svg(200), 200, metadata()).value_or("");
  for (const std::string& text : {std::string("iTXtTitle"), std::string("iTXtCopyright"),
                                  std::string("Roof Analysis Service"), metadata().title, metadata().rights})
    EXPECT_NE(png.find(text), std::string::npos) << text;
}

TEST_F(Png, IsTheSameBytesEveryTime) {
  EXPECT_EQ(geo::svg_to_png(surface_svg(400), 400, metadata()).value(),
            geo::svg_to_png(surface_svg(400), 400, metadata()).value());
}

TEST_F(Png, IsTheSameFromManyThreadsAtOnce) {
  const std::string alone = geo::svg_to_png(surface_svg(300), 300, metadata()).value();
  std::vector<std::future<int>> threads;
  for (int i = 0; i < 4; ++i)
    threads.push_back(std::async(std::launch::async, [&] {
      int same = 0;
      for (int k = 0; k < 5; ++k)
        same += geo::svg_to_png(surface_svg(300), 300, metadata()).value_or("") == alone;
      return same;
    }));
  for (auto& thread : threads) EXPECT_EQ(thread.get(), 5);
}

TEST_F(Png, OfSomethingThatIsNoSvgFails) {
  for (const char* svg :
       {"", "text", "<svg xmlns='http://www.w3.org/2000/svg' width='0' height='0'/>", "<html/>"})
    EXPECT_EQ(geo::svg_to_png(svg, 800, {}).error().kind, geo::FailureKind::internal) << svg;
}

/// Mean difference of the colours, and the share of values that differ plainly: fonts are rendered a little
/// differently from one machine to the next.
void expect_like_reference(const std::string& png, const std::string& name) {
  const auto path = test::repository_file("tests/geo/pictures/" + name);
  if (std::getenv("ROOF_RENEW_PICTURES")) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << png;
  }
  std::stringstream stored;
  stored << std::ifstream(path, std::ios::binary).rdbuf();
  const auto expected = geo::decode_image(stored.str());
  const auto drawn = geo::decode_image(png);
  ASSERT_TRUE(expected) << path << " is missing: ROOF_RENEW_PICTURES=1 makes it";
  ASSERT_TRUE(drawn);
  ASSERT_EQ(drawn->width, expected->width);
  ASSERT_EQ(drawn->height, expected->height);
  double sum = 0;
  long plain = 0;
  for (std::size_t i = 0; i < drawn->rgb.size(); ++i) {
    const int difference = std::abs(drawn->rgb[i] - expected->rgb[i]);
    sum += difference;
    plain += difference > 60;
  }
  const auto values = static_cast<double>(drawn->rgb.size());
  EXPECT_LT(sum / values, 2.0) << name;
  EXPECT_LT(static_cast<double>(plain) / values, 0.01) << name;
}

TEST_F(Png, LooksLikeTheReferencePictures) {
  for (const int width : {200, 600}) {
    const std::string size = std::to_string(width) + ".png";
    expect_like_reference(geo::svg_to_png(surface_svg(width), width, metadata()).value_or(""),
                          "surface_" + size);
    const auto overview = geo::draw_overview_svg(property.analysis, property.scene, width);
    ASSERT_TRUE(overview);
    expect_like_reference(
        geo::svg_to_png(*overview, width, geo::overview_metadata(property.analysis, property.scene))
            .value_or(""),
        "overview_" + size);
  }
}

}  // namespace
