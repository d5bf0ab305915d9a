#include "benchmarks/geo/accuracy_picture.hpp"

#include <gdal_priv.h>

#include <cmath>

#include "geo/data/gdal.hpp"

namespace bench {
namespace {

unsigned char shade(const geo::Grid<float>& z, int col, int row) {
  auto at = [&](int c, int r) { return z.contains(c, r) ? z.at(c, r) : geo::kNoData; };
  const float own = at(col, row);
  if (std::isnan(own)) return 20;
  auto slope = [&](float next) { return std::isnan(next) ? 0.0 : (next - own) / z.cell_m; };
  const double gx = slope(at(col + 1, row)), gy = slope(at(col, row - 1));
  const double light =
      (-gx * -0.5 + -gy * 0.6 + 0.62) / std::sqrt(1 + gx * gx + gy * gy);  // from the north-west
  return static_cast<unsigned char>(std::clamp(40 + 190 * light, 25.0, 235.0));
}

constexpr const char* kDigits[10] = {"757567", "262272", "717477", "717177", "557111",
                                     "747177", "747577", "711111", "757577", "757177"};

}  // namespace

Picture::Picture(const geo::Grid<float>& heights, int pixels_per_cell)
    : west_(heights.west),
      north_(heights.north),
      pixels_per_metre_(pixels_per_cell / heights.cell_m),
      width_(heights.width * pixels_per_cell),
      height_(heights.height * pixels_per_cell) {
  for (auto& band : bands_) band.resize(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_));
  for (int y = 0; y < height_; ++y)
    for (int x = 0; x < width_; ++x) {
      const unsigned char grey = shade(heights, x / pixels_per_cell, y / pixels_per_cell);
      dot(x, y, {grey, grey, grey});
    }
}

geo::Point Picture::pixel(geo::Point map) const {
  return {(map.x - west_) * pixels_per_metre_, (north_ - map.y) * pixels_per_metre_};
}

void Picture::dot(int x, int y, Colour colour) {
  if (x < 0 || y < 0 || x >= width_ || y >= height_) return;
  for (std::size_t band = 0; band < 3; ++band)
    bands_[band][static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                 static_cast<std::size_t>(x)] = colour[band];
}

void Picture::line(geo::Point a, geo::Point b, Colour colour) {
  const int steps = 1 + static_cast<int>(std::max(std::abs(b.x - a.x), std::abs(b.y - a.y)));
  for (int i = 0; i <= steps; ++i) {
    const double t = static_cast<double>(i) / steps;
    dot(static_cast<int>(std::lround(a.x + t * (b.x - a.x))),
        static_cast<int>(std::lround(a.y + t * (b.y - a.y))), colour);
  }
}

void Picture::draw(const geo::Polygon& polygon, Colour colour, double inset_px) {
  auto ring = [&](const geo::Ring& r) {
    for (std::size_t i = 0; i < r.size(); ++i) {
      geo::Point a = pixel(r[i]), b = pixel(r[(i + 1) % r.size()]);
      const double length = std::hypot(b.x - a.x, b.y - a.y);
      if (length < 1e-6) continue;
      // Inside is left of the edge; with rows counted southwards that is (dy, -dx).
      const geo::Point in{(b.y - a.y) / length * inset_px, -(b.x - a.x) / length * inset_px};
      line({a.x + in.x, a.y + in.y}, {b.x + in.x, b.y + in.y}, colour);
    }
  };
  ring(polygon.outer);
  for (const auto& hole : polygon.holes) ring(hole);
}

void Picture::draw(geo::Point at, Colour colour) {
  const geo::Point p = pixel(at);
  for (int d = -2; d <= 2; ++d) {
    dot(static_cast<int>(p.x) + d, static_cast<int>(p.y), colour);
    dot(static_cast<int>(p.x), static_cast<int>(p.y) + d, colour);
  }
}

void Picture::number(geo::Point at, int value, Colour colour) {
  const geo::Point p = pixel(at);
  int x = static_cast<int>(p.x) - 2;
  for (char c : std::to_string(value)) {
    if (c < '0') continue;
    for (int row = 0; row < 6; ++row)
      for (int col = 0; col < 3; ++col)
        if ((kDigits[c - '0'][row] - '0') >> (2 - col) & 1)
          dot(x + col, static_cast<int>(p.y) - 3 + row, colour);
    x += 4;
  }
}

bool Picture::write(const std::string& path) const {
  geo::register_gdal_drivers();
  GDALDriver* memory = GetGDALDriverManager()->GetDriverByName("MEM");
  GDALDriver* png = GetGDALDriverManager()->GetDriverByName("PNG");
  if (!memory || !png) return false;
  geo::DatasetHandle image(memory->Create("", width_, height_, 3, GDT_Byte, nullptr));
  for (int band = 0; image && band < 3; ++band)
    if (image->GetRasterBand(band + 1)->RasterIO(
            GF_Write, 0, 0, width_, height_,
            const_cast<unsigned char*>(bands_[static_cast<std::size_t>(band)].data()), width_, height_,
            GDT_Byte, 0, 0, nullptr) != CE_None)
      return false;
  geo::DatasetHandle written(
      image ? png->CreateCopy(path.c_str(), image.get(), false, nullptr, nullptr, nullptr) : nullptr);
  return written != nullptr;
}

}  // namespace bench
