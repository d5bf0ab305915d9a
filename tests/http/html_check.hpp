// Checks our own HTML: every element closed in its turn, ids unique, links within the page leading somewhere.
// It knows the subset that our pages use, not HTML at large.
#pragma once
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace test {

struct HtmlPage {
  std::vector<std::string> faults;
  std::set<std::string> ids;
  std::vector<std::string> links;    ///< every href
  std::vector<std::string> sources;  ///< every src
  std::string style, script;
};

namespace html_detail {

inline std::string attribute(std::string_view tag, const std::string& name) {
  const auto at = tag.find(" " + name + "=\"");
  if (at == std::string_view::npos) return {};
  const auto begin = at + name.size() + 3;
  return std::string(tag.substr(begin, tag.find('"', begin) - begin));
}

inline void open(HtmlPage& page, std::vector<std::string>& stack, std::string_view tag) {
  static const std::set<std::string> kVoid{"meta", "input", "br", "wbr", "link", "img", "hr"};
  const std::string name(tag.substr(0, tag.find_first_of(" \n")));
  const std::string id = attribute(tag, "id");
  if (!id.empty() && !page.ids.insert(id).second) page.faults.push_back("the id " + id + " comes twice");
  if (const std::string link = attribute(tag, "href"); !link.empty()) page.links.push_back(link);
  if (const std::string source = attribute(tag, "src"); !source.empty()) page.sources.push_back(source);
  if (tag.find(" style=") != std::string_view::npos)
    page.faults.push_back("a style attribute: " + std::string(tag));
  if (tag.find(" on") != std::string_view::npos)
    page.faults.push_back("a script attribute: " + std::string(tag));
  if (!kVoid.contains(name)) stack.push_back(name);
}

inline void close(HtmlPage& page, std::vector<std::string>& stack, const std::string& name) {
  if (stack.empty() || stack.back() != name)
    page.faults.push_back("</" + name + "> closes " + (stack.empty() ? "nothing" : stack.back()));
  else
    stack.pop_back();
}

}  // namespace html_detail

inline HtmlPage read_html(std::string_view html) {
  HtmlPage page;
  std::vector<std::string> stack;
  constexpr std::string_view kDoctype = "<!DOCTYPE html>";
  if (!html.starts_with(kDoctype)) page.faults.emplace_back("no doctype");
  for (auto at = html.find('<', kDoctype.size()); at != std::string_view::npos; at = html.find('<', at)) {
    const auto end = html.find('>', at);
    std::string_view tag = html.substr(at + 1, end - at - 1);
    at = end;
    if (tag.starts_with('/')) {
      html_detail::close(page, stack, std::string(tag.substr(1)));
      continue;
    }
    html_detail::open(page, stack, tag);
    for (const std::string name : {"style", "script"}) {
      if (tag != name) continue;
      const auto close = html.find("</" + name + ">", at);
      (name == "style" ? page.style : page.script) = std::string(html.substr(at + 1, close - at - 1));
      at = close;
    }
  }
  if (!stack.empty()) page.faults.push_back("<" + stack.back() + "> is never closed");
  for (const std::string& link : page.links)
    if (link.starts_with('#') && !page.ids.contains(link.substr(1)))
      page.faults.push_back("nothing at " + link);
  return page;
}

}  // namespace test
