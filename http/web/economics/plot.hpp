// A plot's frame: the picture with its texts for those who do not see it, a scale for the values, grid lines
// with their figures. Pixels from the upper left.
#pragma once
#include <string>
#include <vector>

#include "geo/drawing/svg_element.hpp"

namespace http {

class Plot {
 public:
  struct Frame {
    double width, height;
    double left, right, top, bottom;  ///< margins
  };
  /// `id` is unique on the page; `title` and `description` are read out.
  Plot(const Frame& frame, const std::string& id, const std::string& title, const std::string& description);

  /// Values from `least` to `most` and round steps between them; draws the lines and what they stand for.
  void scale(double least, double most);
  double x(double share) const;  ///< 0 at the left, 1 at the right
  double y(double value) const;

  geo::SvgElement area(const std::string& classes, const std::vector<geo::Point>& outline);
  geo::SvgElement line(const std::string& classes, const std::vector<geo::Point>& points);
  /// A rectangle between two heights; nothing when they are equal.
  void bar(const std::string& classes, double x, double width, double from, double to);
  void label(const std::string& classes, geo::Point at, const std::string& text);
  void base_line();  ///< at value 0
  geo::SvgElement& root() { return document_.root(); }
  std::string bytes() const { return document_.bytes(); }

 private:
  Frame frame_;
  geo::SvgDocument document_;
  double least_ = 0, most_ = 1;
};

}  // namespace http
