#include "http/web/pages/text_html.hpp"

#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/split.hpp>
#include <boost/algorithm/string/trim.hpp>
#include <sstream>
#include <vector>

#include "http/web/html_text.hpp"

namespace http {
namespace {

/// Takes "`code`" and returns what is between; nothing when the line does not begin so.
std::string_view take_code(std::string_view& line) {
  const auto end = line.find('`', 1);
  if (!line.starts_with('`') || end == std::string_view::npos || end == 1) return {};
  const std::string_view code = line.substr(1, end - 1);
  line.remove_prefix(end + 1);
  return code;
}

/// Takes "[text](target)" and returns the text; nothing when the line does not begin so.
std::string_view take_link(std::string_view& line) {
  const auto end = line.find(']');
  if (!line.starts_with('[') || end == std::string_view::npos || end == 1 ||
      !line.substr(end).starts_with("]("))
    return {};
  const std::string_view text = line.substr(1, end - 1);
  line.remove_prefix(std::min(line.find(')', end), line.size() - 1) + 1);
  return text;
}

std::string link_to(std::string_view address) {
  const std::string safe = html::escaped(address);
  return "<a href=\"" + safe + "\" rel=\"noreferrer\">" + safe + "</a>";
}

/// Escaped, with web addresses as links and `code`. Of a [text](file) the text stays: the file is not here.
std::string line_html(std::string_view line) {
  std::string out;
  while (!line.empty()) {
    const auto mark = std::min({line.find("https://"), line.find("http://"), line.find('`'), line.find('[')});
    out += html::escaped(line.substr(0, mark));
    if (mark == std::string_view::npos) break;
    line.remove_prefix(mark);
    if (const auto code = take_code(line); !code.empty()) {
      out += "<code>" + html::escaped(code) + "</code>";
    } else if (line.starts_with("http")) {
      const auto end = std::min(line.find_first_of(" \t)>,|\"'`"), line.size());
      out += link_to(line.substr(0, end));
      line.remove_prefix(end);
    } else if (const auto text = take_link(line); !text.empty()) {
      out += line_html(text);
    } else {
      out += html::escaped(line.substr(0, 1));
      line.remove_prefix(1);
    }
  }
  return out;
}

/// The cells of "| a | b |".
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  const std::string inside = boost::trim_copy_if(line, boost::is_any_of("| \t"));
  boost::split(cells, inside, boost::is_any_of("|"));
  for (std::string& cell : cells) boost::trim(cell);
  return cells;
}

/// "|---|---|", below a table's head.
bool is_rule(const std::string& line) { return line.find_first_not_of("|-: \t") == std::string::npos; }

/// Lines of text become blocks of HTML, one after the other.
class TextBlocks {
 public:
  void add(const std::string& line) {
    const auto hashes = std::min(line.find_first_not_of('#'), line.size());
    if (line.empty())
      turn_to(Block::none);
    else if (hashes > 0 && hashes < 4)
      add_heading(hashes, boost::trim_copy(line.substr(hashes)));
    else if (line.starts_with("- ") || line.starts_with("* "))
      add_item(line.substr(2));
    else if (line.starts_with('|'))
      add_row(line);
    else
      add_line(line);
  }
  std::string end() {
    turn_to(Block::none);
    return std::move(out_);
  }

 private:
  enum class Block { none, paragraph, list, table };

  void turn_to(Block next) {
    if (open_ == next) return;
    static constexpr const char* kClosing[] = {"", "</p>\n", "</ul>\n", "</tbody></table></div>\n"};
    out_ += kClosing[static_cast<std::size_t>(open_)];
    open_ = next;
    if (next == Block::paragraph) out_ += "<p>";
    if (next == Block::list) out_ += "<ul>\n";
  }

  void add_heading(std::size_t level, const std::string& text) {
    turn_to(Block::none);
    const std::string tag = level == 1 ? "h2" : "h3";
    out_ += "<" + tag + ">" + line_html(text) + "</" + tag + ">\n";
  }

  void add_item(const std::string& text) {
    turn_to(Block::list);
    out_ += "<li>" + line_html(text) + "</li>\n";
  }

  void add_line(const std::string& text) {
    turn_to(Block::paragraph);
    out_ += line_html(text) + "\n";
  }

  /// The first row is the table's head.
  void add_row(const std::string& line) {
    if (open_ == Block::table && is_rule(line)) return;
    const bool is_head = open_ != Block::table;
    turn_to(Block::table);
    if (is_head)
      out_ += "<div class=\"table-scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Tabelle " +
              std::to_string(++tables_) + "\"><table class=\"plain\"><thead>";
    out_ += "<tr>";
    for (const std::string& cell : cells_of(line))
      out_ += (is_head ? "<th scope=\"col\">" : "<td>") + line_html(cell) + (is_head ? "</th>" : "</td>");
    out_ += is_head ? "</tr></thead><tbody>\n" : "</tr>\n";
  }

  std::string out_;
  Block open_ = Block::none;
  int tables_ = 0;
};

}  // namespace

std::string html_of_text(std::string_view text) {
  TextBlocks blocks;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    boost::trim_right(line);
    blocks.add(line);
  }
  return blocks.end();
}

}  // namespace http
