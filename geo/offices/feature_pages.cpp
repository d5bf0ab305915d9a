#include "geo/offices/feature_pages.hpp"

#include <libxml/xmlreader.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>

#include "geo/offices/feature_collection.hpp"
#include "geo/offices/listing_forms.hpp"

namespace geo::offices {
namespace {

constexpr std::string_view kOffsetField = "{offset}";

/// What a service's answer tells of itself.
struct FeatureAnswer {
  std::optional<std::uint64_t> matched;  ///< features that the service has
  std::uint64_t held = 0;                ///< features in the answer
  std::string first;                     ///< the first one's identifier
};

/// "unknown", which MapServer and others say, is no number.
std::optional<std::uint64_t> told_number(std::string_view digits) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc() && end == digits.data() + digits.size() ? std::optional(value) : std::nullopt;
}

/// Written as a number, or as a string of its digits.
std::optional<std::uint64_t> told_number_at(simdjson::dom::object object, std::string_view field) {
  std::uint64_t value = 0;
  std::string_view digits;
  if (!object[field].get(value)) return value;
  return object[field].get(digits) ? std::nullopt : told_number(digits);
}

Result<FeatureAnswer> answer_in_json(const simdjson::padded_string& text, const std::string& url) {
  simdjson::dom::parser parser;
  simdjson::dom::object root;
  const auto features = features_in(parser, text, root, url);
  if (!features) return tl::make_unexpected(features.error());
  FeatureAnswer answer;
  answer.matched = told_number_at(root, "numberMatched");
  if (!answer.matched) answer.matched = told_number_at(root, "totalFeatures");  // GeoServer's older name
  for (const simdjson::dom::element feature : *features) {
    simdjson::dom::element id;
    if (answer.held++ == 0 && !feature["id"].get(id)) answer.first = simdjson::minify(id);
  }
  return answer;
}

struct ReaderEnd {
  void operator()(xmlTextReader* reader) const { xmlFreeTextReader(reader); }
};
using XmlReader = std::unique_ptr<xmlTextReader, ReaderEnd>;

// No entity is expanded, nothing is fetched, and nothing is printed.
constexpr int kReading = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING;

std::string text_and_freed(xmlChar* value) {
  std::string text(value ? reinterpret_cast<const char*>(value) : "");
  xmlFree(value);
  return text;
}

std::string attribute_of(xmlTextReader* element, const char* name) {
  return text_and_freed(xmlTextReaderGetAttribute(element, reinterpret_cast<const xmlChar*>(name)));
}

bool is_element(xmlTextReader* reader) { return xmlTextReaderNodeType(reader) == XML_READER_TYPE_ELEMENT; }

/// Without a prefix, whether or not it is declared.
std::string name_of(xmlTextReader* element) {
  const std::string name = reinterpret_cast<const char*>(xmlTextReaderConstName(element));
  return name.substr(name.find(':') + 1);
}

/// A service's exception in its own words.
tl::unexpected<Failure> exception_in(xmlTextReader* reader, const std::string& url) {
  constexpr std::size_t kEnough = 200;
  std::string said;
  while (said.empty() && xmlTextReaderRead(reader) == 1)
    if (is_element(reader) && (name_of(reader) == "ExceptionText" || name_of(reader) == "ServiceException"))
      said = text_and_freed(xmlTextReaderReadString(reader));
  return fail(FailureKind::invalid_input, url + ": the service refuses: " + said.substr(0, kEnough));
}

/// Whether the elements in this one are features.
bool holds_features(const std::string& name) {
  return name == "member" || name == "featureMember" || name == "featureMembers";
}

void count_feature(xmlTextReader* feature, FeatureAnswer& answer) {
  if (answer.held++ != 0) return;
  for (const char* name : {"gml:id", "fid", "id"})
    if (answer.first.empty()) answer.first = attribute_of(feature, name);
}

/// One element after the other: a service without pages sends a whole town at once.
Result<FeatureAnswer> answer_in_xml(const XmlReader& reader, const std::string& url) {
  FeatureAnswer answer;
  int read = reader ? xmlTextReaderRead(reader.get()) : -1;
  while (read == 1) {
    const int depth = xmlTextReaderDepth(reader.get());
    const std::string name = is_element(reader.get()) ? name_of(reader.get()) : std::string();
    if (depth == 0 && name.ends_with("ExceptionReport")) return exception_in(reader.get(), url);
    if (depth == 0 && !name.empty()) {
      if (name != "FeatureCollection")
        return fail(FailureKind::invalid_input,
                    url + ": is XML, but no FeatureCollection (its root is " + name + ")");
      answer.matched = told_number(attribute_of(reader.get(), "numberMatched"));
      if (!answer.matched)
        answer.matched = told_number(attribute_of(reader.get(), "numberOfFeatures"));  // WFS 1.1
    }
    if (depth == 2 && !name.empty()) count_feature(reader.get(), answer);
    const bool is_passed_over = depth == 2 || (depth == 1 && !name.empty() && !holds_features(name));
    read = is_passed_over ? xmlTextReaderNext(reader.get()) : xmlTextReaderRead(reader.get());
  }
  if (read < 0) return fail(FailureKind::invalid_input, url + ": is not XML as it should be");
  return answer;
}

char first_letter_of(std::string_view text) {
  const std::size_t first = text.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  return first == std::string_view::npos ? '\0' : text[first];
}

tl::unexpected<Failure> no_features(const std::string& url) {
  return fail(FailureKind::invalid_input, url + ": is neither GeoJSON nor GML");
}

Result<FeatureAnswer> answer_in(std::string_view text, const std::string& url) {
  const char begins = first_letter_of(text);
  if (begins == '{') return answer_in_json(simdjson::padded_string(text), url);
  if (begins != '<') return no_features(url);
  return answer_in_xml(
      XmlReader(xmlReaderForMemory(text.data(), static_cast<int>(text.size()), nullptr, nullptr, kReading)),
      url);
}

Result<FeatureAnswer> answer_in(const std::filesystem::path& file, const std::string& url) {
  std::array<char, 64> beginning{};
  std::ifstream in(file, std::ios::binary);
  in.read(beginning.data(), beginning.size());
  const char begins = first_letter_of({beginning.data(), static_cast<std::size_t>(in.gcount())});
  if (begins == '<') return answer_in_xml(XmlReader(xmlReaderForFile(file.c_str(), nullptr, kReading)), url);
  if (begins != '{') return no_features(url);
  const auto text = simdjson::padded_string::load(file.string());
  if (!text.error()) return answer_in_json(text.value_unsafe(), url);
  return fail(FailureKind::internal, file.string() + ": " + simdjson::error_message(text.error()));
}

std::string url_of_page(const FindRule& rule, std::uint64_t first) {
  std::string url = rule.page_url;
  if (const std::size_t at = url.find(kOffsetField); at != std::string::npos)
    url.replace(at, kOffsetField.size(), std::to_string(first));
  return url;
}

}  // namespace

Result<Listing> read_feature_count(std::string_view text, const std::string& url, const FindRule& rule) {
  const auto answer = answer_in(text, url);
  if (!answer) return tl::make_unexpected(answer.error());
  if (!answer->matched)
    return fail(FailureKind::invalid_input, url + ": does not tell how many features there are");
  const std::uint64_t size = std::max<std::uint64_t>(1, rule.page_size), all = *answer->matched;
  if (all / size >= kMostListed)
    return fail(FailureKind::invalid_input, url + ": has more features than a million pages hold");
  if (all > size && rule.page_url.find(kOffsetField) == std::string::npos)
    return fail(FailureKind::invalid_input,
                url + ": has " + std::to_string(all) + " features, more than a page of " +
                    std::to_string(size) + ", and the recipe's page_url has no " + std::string(kOffsetField));
  Listing listing;
  for (std::uint64_t first = 0; first < all; first += size) {
    ListedFile file;
    file.url = url_of_page(rule, first);
    file.page = FeaturePage{first, std::min(size, all - first)};
    listing.files.push_back(std::move(file));
  }
  return listing;
}

Result<void> PageCheck::look_at(const std::filesystem::path& file, const ListedFile& listed) {
  const auto answer = answer_in(file, listed.url);
  if (!answer) return tl::make_unexpected(answer.error());
  const auto [first, count] = *listed.page;
  const std::uint64_t now = answer->matched.value_or(first + count);
  const std::uint64_t due = std::min(count, now > first ? now - first : 0);
  if (answer->held < due)
    return fail(
        FailureKind::invalid_input,
        listed.url + ": holds " + std::to_string(answer->held) + " features, and should hold " +
            std::to_string(due) +
            "; the service may send no more at once, which a recipe of your own can follow (page_size)");
  if (answer->first.empty()) return {};
  const auto [begun, is_first] = begun_.try_emplace(answer->first, listed.url);
  if (is_first || begun->second == listed.url) return {};
  return fail(FailureKind::invalid_input, listed.url + ": begins with the same feature as " + begun->second +
                                              "; the service does not send its features by pages");
}

}  // namespace geo::offices
