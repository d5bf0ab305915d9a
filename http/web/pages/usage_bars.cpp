#include "http/web/pages/usage_bars.hpp"

#include <algorithm>
#include <numeric>
#include <pugixml.hpp>
#include <sstream>

#include "geo/drawing/german_text.hpp"
#include "http/web/pages/page_data.hpp"

namespace http {
namespace {

constexpr int kWidth = 960, kHeight = 220, kBottom = 24;
constexpr std::int64_t kDayLength_ms = 24 * 3600 * 1000;

/// Days are UTC days. The date is taken at noon UTC, so that it is the same in all our time zones.
std::string name_of_day(std::int64_t now_ms, std::size_t days, std::size_t index) {
  const std::int64_t today = now_ms / kDayLength_ms;
  return german_date((today - static_cast<std::int64_t>(days - 1 - index)) * kDayLength_ms +
                     kDayLength_ms / 2);
}

void add_attributes(pugi::xml_node node, std::initializer_list<std::pair<const char*, double>> values) {
  for (const auto& [name, value] : values)
    node.append_attribute(name).set_value(geo::plain_number(value, 1).c_str());
}

std::string bars(const std::vector<std::uint32_t>& requests, std::int64_t now_ms) {
  pugi::xml_document document;
  auto svg = document.append_child("svg");
  svg.append_attribute("viewBox") = ("0 0 " + std::to_string(kWidth) + " " + std::to_string(kHeight)).c_str();
  svg.append_attribute("class") = "chart";
  svg.append_attribute("role") = "img";
  svg.append_attribute("aria-label") = "Aufrufe je Tag in den letzten 30 Tagen";
  const double most = std::max(1U, *std::max_element(requests.begin(), requests.end()));
  const double step = double(kWidth) / static_cast<double>(requests.size());
  constexpr double kGap = 3;
  const double ground = kHeight - kBottom;
  auto axis = svg.append_child("line");
  axis.append_attribute("class") = "axis";
  add_attributes(axis, {{"x1", 0}, {"x2", kWidth}, {"y1", ground}, {"y2", ground}});
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const double height = requests[i] / most * (ground - kBottom);
    auto bar = svg.append_child("rect");
    bar.append_attribute("class") = "series-1";
    add_attributes(bar, {{"x", step * static_cast<double>(i)},
                         {"y", ground - height},
                         {"width", step - kGap},
                         {"height", height}});
    bar.append_child("title").text().set(
        (name_of_day(now_ms, requests.size(), i) + ": " + geo::german_number(requests[i], 0)).c_str());
  }
  const auto label = [&](double x, const char* anchor, const std::string& text) {
    auto node = svg.append_child("text");
    node.append_attribute("class") = "label";
    node.append_attribute("text-anchor") = anchor;
    add_attributes(node, {{"x", x}, {"y", kHeight - 4}});
    node.text().set(text.c_str());
  };
  label(0, "start", name_of_day(now_ms, requests.size(), 0));
  label(kWidth, "end", "heute");
  std::ostringstream out;
  document.save(out, "", pugi::format_raw | pugi::format_no_declaration);
  return out.str();
}

}  // namespace

void add_usage_bars(const actors::Usage& usage, std::int64_t now_ms, TemplateData& data) {
  const auto& requests = usage.requests;
  const auto sum = std::accumulate(requests.begin(), requests.end(), std::uint64_t{0});
  data.set("keine_aufrufe", flag(sum == 0));
  data.set("aufrufe_summe", geo::german_number(static_cast<double>(sum), 0));
  data.set("balken_html", sum == 0 ? std::string() : bars(requests, now_ms));
  data.set("balken_text", std::string("Aufrufe der API mit Ihren Schlüsseln, je Tag (UTC)"));
  TemplateData days = list();
  for (std::size_t i = requests.size(); i-- > 0;) {
    TemplateData row = object();
    row.set("tag", name_of_day(now_ms, requests.size(), i));
    row.set("tag_aufrufe", geo::german_number(requests[i], 0));
    days << row;
  }
  data.set("tage", days);
}

}  // namespace http
