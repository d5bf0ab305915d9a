// Listings as pages of links or as tables of names.
#include <simdjson.h>

#include <charconv>
#include <functional>
#include <pugixml.hpp>

#include "geo/offices/listing_forms.hpp"

namespace geo::offices {
namespace {

std::string_view beginning(std::string_view text) {
  const std::size_t first = text.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

std::uint64_t bytes_in(std::string_view digits) {
  std::uint64_t bytes = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bytes);
  return error == std::errc() && end == digits.data() + digits.size() ? bytes : 0;
}

/// The few entities that links hold.
std::string without_entities(std::string_view text) {
  std::string plain(text);
  for (const auto& [entity, letter] : {std::pair{"&amp;", "&"}, {"&#38;", "&"}, {"&quot;", "\""}})
    for (std::size_t at = 0; (at = plain.find(entity, at)) != std::string::npos; ++at)
      plain.replace(at, std::string_view(entity).size(), letter);
  return plain;
}

void add_link(std::string_view link, const std::string& url, std::uint64_t bytes, int date,
              Listing& listing) {
  std::string absolute = resolved_url(link, url);
  if (absolute.empty()) return;
  ListedFile file;
  file.url = std::move(absolute);
  file.bytes = bytes;
  file.date = date;
  listing.files.push_back(std::move(file));
}

/// Attributes href="..." wherever they stand: offices' pages are seldom well formed.
void read_links_of_html(std::string_view text, const std::string& url, Listing& listing) {
  constexpr std::string_view kLink = "href=";
  for (std::size_t at = text.find(kLink); at != std::string_view::npos; at = text.find(kLink, at)) {
    at += kLink.size();
    const char quote = at < text.size() ? text[at] : '\0';
    if (quote != '"' && quote != '\'') continue;
    const std::size_t end = text.find(quote, at + 1);
    if (end == std::string_view::npos || listing.files.size() > kMostListed) return;
    add_link(without_entities(text.substr(at + 1, end - at - 1)), url, 0, 0, listing);
    at = end;
  }
}

/// A URL and the day of its file in each line.
void read_lines(std::string_view text, const std::string& url, Listing& listing) {
  while (!text.empty() && listing.files.size() <= kMostListed) {
    const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
    const std::string_view link = line.substr(0, line.find_first_of(" \t;,"));
    const std::size_t day = line.find_first_not_of(" \t;,", link.size());
    if (!link.empty())
      add_link(link, url, 0, day == std::string_view::npos ? 0 : date_of(line.substr(day)), listing);
    text = text.substr(std::min(text.size(), line.size() + 1));
  }
}

std::string_view text_at(simdjson::dom::object object, std::initializer_list<std::string_view> fields) {
  std::string_view text;
  for (const std::string_view field : fields)
    if (!object[field].get(text)) return text;
  return {};
}

std::uint64_t bytes_at(simdjson::dom::object object) {
  std::uint64_t bytes = 0;
  std::string_view text;
  if (!object["size"].get(bytes)) return bytes;
  return object["size"].get(text) ? 0 : bytes_in(text);
}

/// Depth is bounded by the parser.
void read_names_of_json(simdjson::dom::element element, const std::string& url, Listing& listing) {
  if (listing.files.size() > kMostListed) return;
  simdjson::dom::array list;
  simdjson::dom::object object;
  if (!element.get(list))
    for (const simdjson::dom::element one : list) read_names_of_json(one, url, listing);
  if (element.get(object)) return;
  const std::string_view link = text_at(object, {"url", "href", "link", "uri", "name"});
  bool holds_more = false;
  for (const auto field : object)
    if (field.value.is_array() || field.value.is_object()) {
      holds_more = true;
      read_names_of_json(field.value, url, listing);
    }
  if (!holds_more && !link.empty()) add_link(link, url, bytes_at(object), 0, listing);
}

struct NameWalker : pugi::xml_tree_walker {
  NameWalker(const std::string& listing_url, Listing& into) : url(listing_url), listing(into) {}
  bool for_each(pugi::xml_node& node) override {
    const std::string_view name = node.attribute("name").value();
    const bool is_file = std::string_view(node.name()) == "file" || node.attribute("size");
    if (is_file && !name.empty()) add_link(name, url, bytes_in(node.attribute("size").value()), 0, listing);
    return listing.files.size() <= kMostListed;
  }
  const std::string& url;
  Listing& listing;
};

}  // namespace

Result<Listing> read_link_list(std::string_view text, const std::string& url) {
  Listing listing;
  const std::string_view begins = beginning(text);
  if (begins.starts_with("{") || begins.starts_with("[")) {
    simdjson::dom::parser parser;
    simdjson::dom::element root;
    const simdjson::padded_string padded(begins);
    if (const auto error = parser.parse(padded).get(root))
      return fail(FailureKind::invalid_input,
                  url + ": is not JSON as it should be (" + simdjson::error_message(error) + ")");
    read_names_of_json(root, url, listing);
  } else if (begins.starts_with("<?xml") && begins.substr(0, 300).find("<html") == std::string_view::npos) {
    pugi::xml_document document;
    if (const auto parsed = document.load_buffer(text.data(), text.size()); !parsed)
      return fail(FailureKind::invalid_input,
                  url + ": is not XML as it should be (" + parsed.description() + ")");
    NameWalker walker(url, listing);
    document.traverse(walker);
  } else if (begins.starts_with("<")) {
    read_links_of_html(text, url, listing);
  } else if (begins.starts_with("http")) {
    read_lines(begins, url, listing);
  } else {
    return fail(FailureKind::invalid_input, url + ": is neither HTML nor JSON nor XML nor a list of links");
  }
  return listing;
}

}  // namespace geo::offices
