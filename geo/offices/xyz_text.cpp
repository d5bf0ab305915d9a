#include "geo/offices/xyz_text.hpp"

#include <cpl_vsi.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <memory>
#include <string_view>

#include "geo/data/gdal.hpp"

namespace geo::offices {
namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
constexpr double kOffGrid = 0.02;  // of a cell: more is another grid
constexpr double kHighest_m = 9000, kLowest_m = -500;
constexpr std::size_t kLongestLine = 1000;

struct XyzCloser {
  void operator()(VSILFILE* file) const { VSIFCloseL(file); }
};

/// Lines of a file, read by large pieces.
class LineReader {
 public:
  explicit LineReader(const std::string& path) : file_(VSIFOpenL(path.c_str(), "rb")) {}
  bool is_open() const { return file_ != nullptr; }
  /// Without its end; false after the last. A line that never ends comes in pieces.
  bool next(std::string_view& line) {
    std::size_t end = buffer_.find('\n', at_);
    while (end == std::string::npos && buffer_.size() - at_ < kLongestLine && more())
      end = buffer_.find('\n', at_);
    if (end == std::string::npos) end = std::min(buffer_.size(), at_ + kLongestLine);
    if (at_ >= buffer_.size()) return false;
    line = std::string_view(buffer_).substr(at_, end - at_);
    at_ = end < buffer_.size() && buffer_[end] == '\n' ? end + 1 : end;
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    return true;
  }

 private:
  bool more() {
    constexpr std::size_t kPiece = 1U << 20U;
    buffer_.erase(0, at_);
    at_ = 0;
    const std::size_t kept = buffer_.size();
    buffer_.resize(kept + kPiece);
    const std::size_t got = VSIFReadL(buffer_.data() + kept, 1, kPiece, file_.get());
    buffer_.resize(kept + got);
    return got > 0;
  }
  std::unique_ptr<VSILFILE, XyzCloser> file_;
  std::string buffer_;
  std::size_t at_ = 0;
};

/// Three numbers between spaces, tabs, commas or semicolons; more may follow.
bool three_numbers(std::string_view line, std::array<double, 3>& numbers) {
  constexpr std::string_view kBetween = " \t,;";
  for (double& number : numbers) {
    const std::size_t begins = line.find_first_not_of(kBetween);
    if (begins == std::string_view::npos) return false;
    line.remove_prefix(begins);
    if (line.front() == '+') line.remove_prefix(1);
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
    if (error != std::errc() || !std::isfinite(number)) return false;
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    if (!line.empty() && kBetween.find(line.front()) == std::string_view::npos) return false;
  }
  return true;
}

/// The cells whose centres lie `x`, `y` apart by whole cells and touch the square.
Grid<float> grid_through(double x, double y, const Box& square, double cell) {
  const auto first_edge = [cell](double centre, double edge) {
    const double cells = std::floor((centre - cell / 2 - edge) / cell + kOffGrid);
    return centre - cell / 2 - cells * cell;
  };
  const double west = first_edge(x, square.min_x - cell / 2 - cell * kOffGrid);
  const double south = first_edge(y, square.min_y - cell / 2 - cell * kOffGrid);
  const int columns = static_cast<int>(std::ceil((square.max_x + cell / 2 - west) / cell));
  const int rows = static_cast<int>(std::ceil((square.max_y + cell / 2 - south) / cell));
  return Grid<float>(columns, rows, west, south + rows * cell, cell, kNone);
}

bool is_page(std::string_view line) { return line.substr(0, 200).find('<') != std::string_view::npos; }

/// Without the rows and columns at its rim that nobody wrote.
Grid<float> trimmed(const Grid<float>& grid) {
  int left = grid.width, right = -1, top = grid.height, bottom = -1;
  for (int row = 0; row < grid.height; ++row)
    for (int col = 0; col < grid.width; ++col)
      if (!std::isnan(grid.at(col, row))) {
        left = std::min(left, col), right = std::max(right, col);
        top = std::min(top, row), bottom = std::max(bottom, row);
      }
  if (right < 0) return {};
  if (left == 0 && top == 0 && right == grid.width - 1 && bottom == grid.height - 1) return grid;
  Grid<float> inner(right - left + 1, bottom - top + 1, grid.west + left * grid.cell_m,
                    grid.north - top * grid.cell_m, grid.cell_m, kNone);
  for (int row = 0; row < inner.height; ++row)
    std::copy(&grid.at(left, top + row), &grid.at(left, top + row) + inner.width, &inner.at(0, row));
  return inner;
}

bool fills(const Grid<float>& grid, const Box& square) {
  const double cell = grid.cell_m;
  return grid.width >= std::lround((square.max_x - square.min_x) / cell) &&
         grid.height >= std::lround((square.max_y - square.min_y) / cell) &&
         std::none_of(grid.values.begin(), grid.values.end(), [](float value) { return std::isnan(value); });
}

}  // namespace

Result<Grid<float>> read_xyz(const std::string& path, const Box& square, double cell, XyzEnd end) {
  const GdalErrors unheard;
  LineReader lines(path);
  if (!lines.is_open()) return fail(FailureKind::invalid_input, path + ": cannot be read");
  std::size_t number = 0;
  const auto refused = [&](const std::string& why) {
    return fail(FailureKind::invalid_input, path + ": line " + std::to_string(number) + " " + why);
  };
  Grid<float> grid;
  std::array<double, 3> p{};
  bool page_came = false;
  for (std::string_view line; lines.next(line);) {
    ++number;
    if (line.empty()) continue;
    if (!three_numbers(line, p)) {
      page_came = !grid.values.empty() && is_page(line);
      if (page_came) break;
      if (grid.values.empty() && number == 1 && !is_page(line)) continue;  // names of the columns
      return refused("is no \"x y height\"");
    }
    if (grid.values.empty()) {
      if (!square.grown(cell).contains({p[0], p[1]}))
        return refused("lies outside the square that the file's name says");
      grid = grid_through(p[0], p[1], square, cell);
    }
    const double col = (p[0] - grid.west) / cell - 0.5, row = (grid.north - p[1]) / cell - 0.5;
    if (std::abs(col - std::round(col)) > kOffGrid || std::abs(row - std::round(row)) > kOffGrid)
      return refused("is off the grid of " + std::to_string(cell) + " that the first line begins");
    const int c = static_cast<int>(std::lround(std::clamp(col, -9.0, 1e9))),
              r = static_cast<int>(std::lround(std::clamp(row, -9.0, 1e9)));
    if (!grid.contains(c, r)) return refused("lies outside the square that the file's name says");
    if (p[2] > kLowest_m && p[2] < kHighest_m) grid.at(c, r) = static_cast<float>(p[2]);
  }
  if (grid.values.empty()) return fail(FailureKind::invalid_input, path + ": holds no heights");
  Grid<float> inner = trimmed(grid);
  if (inner.values.empty()) return fail(FailureKind::invalid_input, path + ": holds no heights");
  if (end == XyzEnd::page && !page_came && !fills(inner, square))
    return refused(
        "is the last, and the page that stands behind each of this office's texts is missing: it "
        "was cut off");
  return inner;
}

}  // namespace geo::offices
