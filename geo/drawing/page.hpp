// The sheet around a map: title, figures, legend, sources. It flows from top to bottom and as many things
// stand side by side as the width allows, so that a picture is legible from 200 to 2000 pixels. Pixels.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "geo/drawing/map_view.hpp"
#include "geo/drawing/picture_metadata.hpp"
#include "geo/drawing/svg_element.hpp"
#include "geo/drawing/text_width.hpp"

namespace geo {

/// Sizes that follow the picture's width, but never below what can be read.
struct TypeScale {
  explicit TypeScale(double width_px);
  double title, base, small;  ///< of letters
  double pad;                 ///< around everything
  double line;                ///< a stroke
};

/// A figure with its name.
struct Fact {
  std::string name, value;
};

struct LegendEntry {
  std::function<void(SvgElement& parent, const PixelBox& box)> draw_symbol;
  std::string text;
};

class Page {
 public:
  Page(int width_px, const PictureMetadata& metadata);

  const TypeScale& type() const { return type_; }
  SvgElement& defs() { return defs_; }

  void title(const std::string& text);
  void facts(const std::vector<Fact>& facts);
  /// Room for a map of this form; what is put into the group is cut off at its frame.
  SvgElement map(double height_per_width, PixelBox& frame);
  /// The map's frame, scale bar and north arrow.
  void map_margin(const MapView& view);
  void legend(const std::vector<LegendEntry>& entries);
  void small_print(const std::string& text);
  std::string finish();

 private:
  SvgElement put_text(double x, double baseline, double size, const std::string& text, const char* colour,
                      Weight weight = Weight::regular);
  double inner_width() const { return width_ - 2 * type_.pad; }
  int columns(double widest) const;

  SvgDocument document_;
  double width_;
  TypeScale type_;
  double cursor_;  ///< where the next thing begins
  SvgElement defs_;
  SvgElement sheet_;
};

/// A text element of the picture's fonts.
SvgElement add_text(SvgElement& parent, Point baseline, double size, const std::string& text,
                    const char* colour, Weight weight = Weight::regular, const char* anchor = "start");

}  // namespace geo
