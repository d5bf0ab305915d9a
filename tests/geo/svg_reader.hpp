// Reads an SVG back with a strict XML parser (libxml2), for tests of what was drawn.
#pragma once
#include <gtest/gtest.h>
#include <libxml/parser.h>
#include <libxml/xpath.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "geo/shapes/shapes.hpp"

namespace test {

struct SvgItem {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;
  double number(const std::string& attribute) const {
    return std::strtod(attributes.at(attribute).c_str(), nullptr);
  }
};

class SvgReader {
 public:
  explicit SvgReader(const std::string& svg)
      : document_(xmlReadMemory(svg.data(), static_cast<int>(svg.size()), "picture.svg", nullptr,
                                XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_HUGE),
                  &xmlFreeDoc) {}

  bool well_formed() const { return document_ != nullptr; }

  /// All elements of a name, whatever their namespace, that fulfil an XPath condition; "*" is any name.
  std::vector<SvgItem> all(const std::string& name, const std::string& condition = "") const {
    std::vector<SvgItem> items;
    const std::string path = "//*" + (name == "*" ? "" : "[local-name()='" + name + "']") + condition;
    const std::unique_ptr<xmlXPathContext, decltype(&xmlXPathFreeContext)> context(
        xmlXPathNewContext(document_.get()), &xmlXPathFreeContext);
    const std::unique_ptr<xmlXPathObject, decltype(&xmlXPathFreeObject)> found(
        xmlXPathEvalExpression(reinterpret_cast<const xmlChar*>(path.c_str()), context.get()),
        &xmlXPathFreeObject);
    if (!found || !found->nodesetval) return items;
    for (int i = 0; i < found->nodesetval->nodeNr; ++i) items.push_back(item(found->nodesetval->nodeTab[i]));
    return items;
  }
  SvgItem one(const std::string& name, const std::string& condition = "") const {
    const auto items = all(name, condition);
    EXPECT_EQ(items.size(), 1u) << name << condition;
    return items.empty() ? SvgItem{} : items.front();
  }
  std::string all_text() const {
    std::string text;
    for (const SvgItem& element : all("text")) text += element.text + "\n";
    return text;
  }

 private:
  static std::string string_of(xmlChar* owned) {
    std::string text = owned ? reinterpret_cast<const char*>(owned) : "";
    xmlFree(owned);
    return text;
  }
  static SvgItem item(xmlNode* node) {
    SvgItem out{reinterpret_cast<const char*>(node->name), {}, string_of(xmlNodeGetContent(node))};
    for (const xmlAttr* a = node->properties; a; a = a->next)
      out.attributes[reinterpret_cast<const char*>(a->name)] =
          string_of(xmlNodeListGetString(node->doc, a->children, 1));
    return out;
  }
  std::unique_ptr<xmlDoc, decltype(&xmlFreeDoc)> document_;
};

/// The corners of a path that was written by closed_path: its first ring.
inline geo::Ring ring_of_path(const std::string& path) {
  geo::Ring ring;
  const char* at = path.c_str();
  while (*at == 'M' || *at == 'L') {
    char* end = nullptr;
    const double x = std::strtod(at + 1, &end);
    const double y = std::strtod(end, &end);
    ring.push_back({x, y});
    at = end;
  }
  return ring;
}

}  // namespace test
