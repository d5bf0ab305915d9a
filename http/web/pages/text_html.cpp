#include "http/web/pages/text_html.hpp"

#include <boost/algorithm/string/trim.hpp>
#include <sstream>

#include "http/web/html_text.hpp"

namespace http {
namespace {

enum class Block { none, paragraph, list, table };

const char* closing(Block block) {
  switch (block) {
    case Block::paragraph:
      return "</p>\n";
    case Block::list:
      return "</ul>\n";
    case Block::table:
      return "</pre>\n";
    case Block::none:
      break;
  }
  return "";
}

/// Escaped, with web addresses as links.
std::string line_html(std::string_view line) {
  std::string out;
  while (!line.empty()) {
    const auto at = std::min(line.find("https://"), line.find("http://"));
    out += html::escaped(line.substr(0, at));
    if (at == std::string_view::npos) break;
    line.remove_prefix(at);
    const auto end = std::min(line.find_first_of(" \t)>,|\"'`"), line.size());
    const std::string address = html::escaped(line.substr(0, end));
    out += "<a href=\"" + address + "\" rel=\"noreferrer\">" + address + "</a>";
    line.remove_prefix(end);
  }
  return out;
}

}  // namespace

std::string html_of_text(std::string_view text) {
  std::string out;
  Block open = Block::none;
  const auto turn_to = [&](Block next, const char* opening) {
    if (open == next) return;
    out += closing(open);
    out += opening;
    open = next;
  };
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    boost::trim_right(line);
    const auto hashes = std::min(line.find_first_not_of('#'), line.size());
    if (line.empty()) {
      turn_to(Block::none, "");
    } else if (hashes > 0 && hashes < 4) {
      turn_to(Block::none, "");
      const std::string tag = hashes == 1 ? "h2" : "h3";
      out += "<" + tag + ">" + line_html(boost::trim_copy(line.substr(hashes))) + "</" + tag + ">\n";
    } else if (line.starts_with("- ") || line.starts_with("* ")) {
      turn_to(Block::list, "<ul>\n");
      out += "<li>" + line_html(line.substr(2)) + "</li>\n";
    } else if (line.starts_with('|')) {
      turn_to(Block::table, "<pre tabindex=\"0\">");
      out += line_html(line) + "\n";
    } else {
      turn_to(Block::paragraph, "<p>");
      out += line_html(line) + "\n";
    }
  }
  turn_to(Block::none, "");
  return out;
}

}  // namespace http
