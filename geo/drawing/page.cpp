#include "geo/drawing/page.hpp"

#include <algorithm>
#include <cmath>

#include "geo/drawing/map_margin.hpp"

namespace geo {
namespace {

constexpr const char* kQuiet = "#5a6774";
constexpr double kLeading = 1.35;  // from line to line, in letter sizes

/// Title, creator, rights and licence as Dublin Core, where programs look for them in an SVG.
void add_metadata(SvgElement& root, const PictureMetadata& metadata) {
  root.child("title").text(metadata.title);
  root.child("desc").text(metadata.description);
  SvgElement rdf = root.child("metadata").child("rdf:RDF");
  rdf.set("xmlns:rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#")
      .set("xmlns:dc", "http://purl.org/dc/elements/1.1/")
      .set("xmlns:dcterms", "http://purl.org/dc/terms/");
  SvgElement work = rdf.child("rdf:Description").set("rdf:about", "");
  work.child("dc:title").text(metadata.title);
  work.child("dc:description").text(metadata.description);
  work.child("dc:creator").text(kPictureCreator);
  work.child("dc:rights").text(metadata.rights);
  work.child("dcterms:license").text(metadata.licence);
  work.child("dc:format").text("image/svg+xml");
  work.child("dc:language").text("de");
}

}  // namespace

TypeScale::TypeScale(double width_px)
    : title(std::max(12.0, width_px * 0.034)),
      base(std::max(9.0, width_px * 0.02)),
      small(std::max(8.0, width_px * 0.0155)),
      pad(std::max(6.0, width_px * 0.02)),
      line(std::max(0.6, width_px * 0.0016)) {}

SvgElement add_text(SvgElement& parent, Point baseline, double size, const std::string& text,
                    const char* colour, Weight weight, const char* anchor) {
  SvgElement element = parent.child("text");
  element.set("x", baseline.x).set("y", baseline.y).set("font-size", size).set("fill", colour);
  if (weight == Weight::bold) element.set("font-weight", "bold");
  if (std::string_view(anchor) != "start") element.set("text-anchor", anchor);
  return element.text(text);
}

Page::Page(int width_px, const PictureMetadata& metadata)
    : width_(width_px),
      type_(width_px),
      cursor_(type_.pad),
      defs_(pugi::xml_node()),
      sheet_(pugi::xml_node()) {
  SvgElement& root = document_.root();
  root.set("xmlns", "http://www.w3.org/2000/svg").set("xmlns:xlink", "http://www.w3.org/1999/xlink");
  root.set("version", "1.1").set("xml:lang", "de").set("role", "img").set("width", width_);
  root.set("font-family", "'DejaVu Sans', Verdana, sans-serif");
  add_metadata(root, metadata);
  defs_ = root.child("defs");
  sheet_ = root.child("g");
  sheet_.child("rect").set("width", "100%").set("height", "100%").set("fill", "#ffffff");
}

SvgElement Page::put_text(double x, double baseline, double size, const std::string& text, const char* colour,
                          Weight weight) {
  return add_text(sheet_, {x, baseline}, size, text, colour, weight);
}

void Page::title(const std::string& text) {
  for (const std::string& line : wrapped(text, inner_width(), type_.title, Weight::bold)) {
    put_text(type_.pad, cursor_ + type_.title, type_.title, line, kInk, Weight::bold).set("class", "title");
    cursor_ += type_.title * kLeading;
  }
  cursor_ += type_.small * 0.3;
}

int Page::columns(double widest) const {
  return std::max(1, static_cast<int>(inner_width() / (widest + type_.base * 1.2)));
}

void Page::facts(const std::vector<Fact>& facts) {
  double widest = 0;
  for (const Fact& fact : facts)
    widest = std::max(
        {widest, text_width(fact.name, type_.small), text_width(fact.value, type_.base, Weight::bold)});
  const int in_width = std::min(columns(widest), static_cast<int>(facts.size()));
  const int rows = (static_cast<int>(facts.size()) + in_width - 1) / in_width;
  const int in_row = (static_cast<int>(facts.size()) + rows - 1) / rows;  // rows of equal length look better
  const double column_px = inner_width() / in_row;
  const double row_px = type_.small * kLeading + type_.base * kLeading + type_.small * 0.3;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const double x = type_.pad + static_cast<double>(i % in_row) * column_px;
    const std::size_t row = i / in_row;
    const double y = cursor_ + static_cast<double>(row) * row_px;
    put_text(x, y + type_.small, type_.small, facts[i].name, kQuiet);
    put_text(x, y + type_.small * kLeading + type_.base, type_.base, facts[i].value, kInk, Weight::bold);
  }
  cursor_ += rows * row_px + type_.small * 0.6;
}

SvgElement Page::map(double height_per_width, PixelBox& frame) {
  frame = {type_.pad, cursor_, inner_width(), inner_width() * height_per_width};
  cursor_ = frame.bottom();
  SvgElement clip = defs_.child("clipPath").set("id", "map-frame");
  clip.rect(frame.x, frame.y, frame.width, frame.height);
  return sheet_.child("g").set("id", "map").set("clip-path", "url(#map-frame)");
}

void Page::map_margin(const MapView& view) {
  const PixelBox& frame = view.frame();
  sheet_.rect(frame.x, frame.y, frame.width, frame.height)
      .set("fill", "none")
      .set("stroke", kInk)
      .set("stroke-width", type_.line);
  cursor_ += draw_map_margin(sheet_, view, type_);
}

void Page::legend(const std::vector<LegendEntry>& entries) {
  const double symbol_px = type_.base * 1.9;
  const double text_x = symbol_px + type_.small * 0.6;
  double widest = 0;
  for (const LegendEntry& entry : entries) widest = std::max(widest, text_width(entry.text, type_.small));
  const int in_row = columns(text_x + widest);
  const double column_px = inner_width() / in_row;
  double row_bottom = cursor_;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i % in_row == 0) cursor_ = row_bottom;
    const double x = type_.pad + static_cast<double>(i % in_row) * column_px;
    const double height = type_.base * 1.15;
    entries[i].draw_symbol(sheet_, {x, cursor_ + type_.base * 0.2, symbol_px, height});
    double baseline = cursor_ + type_.base * 0.2 + height / 2 + type_.small * 0.36;
    for (const std::string& line : wrapped(entries[i].text, column_px - text_x, type_.small)) {
      put_text(x + text_x, baseline, type_.small, line, kInk);
      baseline += type_.small * kLeading;
    }
    row_bottom = std::max({row_bottom, cursor_ + type_.base * 1.65, baseline - type_.small * 0.9});
  }
  cursor_ = row_bottom + type_.small * 0.5;
}

void Page::small_print(const std::string& text) {
  for (const std::string& line : wrapped(text, inner_width(), type_.small)) {
    put_text(type_.pad, cursor_ + type_.small, type_.small, line, kQuiet);
    cursor_ += type_.small * kLeading;
  }
}

std::string Page::finish() {
  const double height = std::ceil(cursor_ + type_.pad);
  document_.root()
      .set("height", height)
      .set("viewBox", "0 0 " + std::to_string(static_cast<int>(width_)) + " " +
                          std::to_string(static_cast<int>(height)));
  return document_.bytes();
}

}  // namespace geo
