// Atom feeds (RFC 4287), Metalink (RFC 5854) and folders of WebDAV (RFC 4918). pugixml knows the five
// entities of XML and no others, so no entity of a listing's own is ever expanded or fetched.
#include <algorithm>
#include <charconv>
#include <pugixml.hpp>

#include "geo/offices/listing_forms.hpp"

namespace geo::offices {
namespace {

/// A name without its namespace's prefix.
std::string_view local_name(const pugi::xml_node& node) {
  const std::string_view name = node.name();
  return name.substr(name.find(':') == std::string_view::npos ? 0 : name.find(':') + 1);
}

pugi::xml_node child_called(const pugi::xml_node& node, std::string_view name) {
  for (const pugi::xml_node& child : node.children())
    if (local_name(child) == name) return child;
  return {};
}

std::uint64_t count_of(std::string_view digits) {
  std::uint64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

Result<pugi::xml_node> root_called(std::string_view name, pugi::xml_document& document, std::string_view text,
                                   const std::string& url) {
  if (const auto parsed = document.load_buffer(text.data(), text.size()); !parsed)
    return fail(FailureKind::invalid_input,
                url + ": is not XML as it should be (" + parsed.description() + ")");
  const pugi::xml_node root = document.document_element();
  if (local_name(root) != name)
    return fail(FailureKind::invalid_input,
                url + ": is XML, but no " + std::string(name) + " (its root is " + root.name() + ")");
  return root;
}

}  // namespace

Result<Listing> read_feed(std::string_view text, const std::string& url) {
  pugi::xml_document document;
  const auto feed = root_called("feed", document, text, url);
  if (!feed) return tl::make_unexpected(feed.error());
  Listing listing;
  for (const pugi::xml_node& entry : feed->children()) {
    if (local_name(entry) != "entry") continue;
    const std::string title = child_called(entry, "title").text().get();
    for (const pugi::xml_node& link : entry.children()) {
      if (local_name(link) != "link" || listing.files.size() > kMostListed) continue;
      ListedFile file;
      file.url = resolved_url(link.attribute("href").value(), url);
      if (file.url.empty()) continue;
      const pugi::xml_attribute own_title = link.attribute("title");
      file.title = own_title && title.empty() ? own_title.value() : title;
      file.bytes = count_of(link.attribute("length").value());
      listing.files.push_back(std::move(file));
    }
  }
  return listing;
}

Result<Listing> read_metalink(std::string_view text, const std::string& url) {
  pugi::xml_document document;
  const auto metalink = root_called("metalink", document, text, url);
  if (!metalink) return tl::make_unexpected(metalink.error());
  Listing listing;
  for (const pugi::xml_node& entry : metalink->children()) {
    if (local_name(entry) != "file" || listing.files.size() > kMostListed) continue;
    ListedFile file;
    for (const pugi::xml_node& part : entry.children()) {
      const std::string_view name = local_name(part);
      const std::string_view value = part.text().get();
      if (name == "size") file.bytes = count_of(value);
      if (name == "hash" && std::string_view(part.attribute("type").value()) == "sha-256")
        file.sha256 = sha256_of(value);
      if (name == "url" && file.url.empty()) file.url = resolved_url(value, url);
    }
    if (!file.url.empty()) listing.files.push_back(std::move(file));
  }
  return listing;
}

Result<Listing> read_webdav_folder(std::string_view text, const std::string& url) {
  pugi::xml_document document;
  const auto answer = root_called("multistatus", document, text, url);
  if (!answer) return tl::make_unexpected(answer.error());
  Listing listing;
  for (const pugi::xml_node& entry : answer->children()) {
    if (local_name(entry) != "response" || listing.files.size() > kMostListed) continue;
    const std::string_view link = child_called(entry, "href").text().get();
    bool is_folder = link.ends_with("/");  // the asked one is among them
    ListedFile file;
    file.url = resolved_url(link, url);
    for (const pugi::xml_node& part : entry.children()) {  // what is known, and what is not
      const pugi::xml_node facts = child_called(part, "prop");
      is_folder = is_folder || child_called(child_called(facts, "resourcetype"), "collection");
      file.bytes = std::max(file.bytes, count_of(child_called(facts, "getcontentlength").text().get()));
    }
    if (!is_folder && !file.url.empty()) listing.files.push_back(std::move(file));
  }
  return listing;
}

}  // namespace geo::offices
