#include "geo/drawing/svg_element.hpp"

#include <algorithm>
#include <sstream>

#include "geo/drawing/german_text.hpp"

namespace geo {
namespace {

/// Length of the well-formed UTF-8 character that begins here; 0 for none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = byte(0) < 0x80   ? 1
                             : byte(0) < 0xC2 ? 0
                             : byte(0) < 0xE0 ? 2
                             : byte(0) < 0xF0 ? 3
                             : byte(0) < 0xF5 ? 4
                                              : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  const bool overlong = (byte(0) == 0xE0 && byte(1) < 0xA0) || (byte(0) == 0xF0 && byte(1) < 0x90);
  const bool surrogate = byte(0) == 0xED && byte(1) > 0x9F;
  const bool beyond = byte(0) == 0xF4 && byte(1) > 0x8F;
  return overlong || surrogate || beyond ? 0 : length;
}

/// What XML 1.0 allows: no control characters, no U+FFFE and U+FFFF, nothing that is not UTF-8.
std::string allowed(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(1, length));
    const bool control = length == 1 && static_cast<unsigned char>(text[0]) < 0x20;
    if (length > 0 && !control && character != "\xEF\xBF\xBE" && character != "\xEF\xBF\xBF")
      out += character;
    text.remove_prefix(character.size());
  }
  return out;
}

}  // namespace

SvgElement& SvgElement::set(const char* name, std::string_view value) {
  node_.append_attribute(name).set_value(allowed(value).c_str());
  return *this;
}

SvgElement& SvgElement::set(const char* name, double value) { return set(name, plain_number(value, 2)); }

SvgElement& SvgElement::text(std::string_view content) {
  node_.text().set(allowed(content).c_str());
  return *this;
}

SvgElement SvgElement::rect(double x, double y, double width, double height) {
  return child("rect").set("x", x).set("y", y).set("width", width).set("height", height);
}

SvgElement SvgElement::line(Point from, Point to) {
  return child("line").set("x1", from.x).set("y1", from.y).set("x2", to.x).set("y2", to.y);
}

SvgElement SvgElement::circle(Point centre, double radius) {
  return child("circle").set("cx", centre.x).set("cy", centre.y).set("r", radius);
}

std::string closed_path(const std::vector<Ring>& rings) {
  std::string path;
  for (const Ring& ring : rings) {
    char command = 'M';
    for (const Point& p : ring) {
      path += command + plain_number(p.x, 2) + " " + plain_number(p.y, 2);
      command = 'L';
    }
    if (!ring.empty()) path += 'Z';
  }
  return path;
}

std::string SvgDocument::bytes() const {
  std::ostringstream out;
  document_.save(out, "", pugi::format_raw, pugi::encoding_utf8);
  return out.str();
}

}  // namespace geo
