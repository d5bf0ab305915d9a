// Writing SVG: well-formed by construction (pugixml), numbers and text independent of the locale. An element
// is a light handle into the document that made it.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include <pugixml.hpp>

#include "geo/shapes/shapes.hpp"

namespace geo {

/// The colour of lines and letters.
inline constexpr const char* kInk = "#1b2733";

class SvgElement {
 public:
  explicit SvgElement(pugi::xml_node node) : node_(node) {}
  SvgElement child(const char* name) { return SvgElement(node_.append_child(name)); }
  SvgElement& set(const char* name, std::string_view value);
  SvgElement& set(const char* name, double value);  ///< to a hundredth
  /// Characters that XML forbids are left out.
  SvgElement& text(std::string_view content);

  SvgElement rect(double x, double y, double width, double height);
  SvgElement line(Point from, Point to);
  SvgElement circle(Point centre, double radius);

 private:
  pugi::xml_node node_;
};

/// "M0 0L5 0L5 5Z": rings of pixels, closed.
std::string closed_path(const std::vector<Ring>& rings);

class SvgDocument {
 public:
  SvgDocument() : root_(document_.append_child("svg")) {}
  SvgElement& root() { return root_; }
  std::string bytes() const;

 private:
  pugi::xml_document document_;
  SvgElement root_;
};

}  // namespace geo
