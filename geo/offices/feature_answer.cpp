#include "geo/offices/feature_answer.hpp"

#include <libxml/xmlreader.h>

#include <array>
#include <charconv>
#include <fstream>
#include <functional>
#include <memory>

#include "geo/offices/feature_collection.hpp"

namespace geo::offices {
namespace {

constexpr std::uintmax_t kLongestJson = 256U << 20U;  // all of it is in memory, some fifteen times

std::size_t mark_of(std::string_view text) { return std::hash<std::string_view>{}(text); }

/// "unknown", which MapServer and ArcGIS say, is no number.
std::optional<std::uint64_t> told_number(std::string_view digits) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc() && end == digits.data() + digits.size() ? std::optional(value) : std::nullopt;
}

// ---- GeoJSON ----

/// Written as a number, or as a string of its digits.
std::optional<std::uint64_t> told_number_at(simdjson::dom::object object, std::string_view field) {
  std::uint64_t value = 0;
  std::string_view digits;
  if (!object[field].get(value)) return value;
  return object[field].get(digits) ? std::nullopt : told_number(digits);
}

std::size_t mark_of_feature(simdjson::dom::element feature) {
  simdjson::dom::element id;
  const bool has = !feature["id"].get(id) && !id.is_null();
  std::string text = has ? simdjson::minify(id) : std::string();
  if (text.empty() || text == "\"\"") text = simdjson::minify(feature);
  return mark_of(text);
}

Result<FeatureAnswer> answer_in_json(const simdjson::padded_string& text, const std::string& url) {
  simdjson::dom::parser parser;
  simdjson::dom::object root;
  const auto features = features_in(parser, text, root, url);
  if (!features) return tl::make_unexpected(features.error());
  FeatureAnswer answer;
  answer.matched = told_number_at(root, "numberMatched");
  if (!answer.matched) answer.matched = told_number_at(root, "totalFeatures");  // GeoServer's older name
  for (const simdjson::dom::element feature : *features) answer.features.push_back(mark_of_feature(feature));
  return answer;
}

// ---- GML ----

struct ReaderEnd {
  void operator()(xmlTextReader* reader) const { xmlFreeTextReader(reader); }
};
using XmlReader = std::unique_ptr<xmlTextReader, ReaderEnd>;

constexpr int kReading = XML_PARSE_NONET;  // no entity is expanded, nothing is fetched

XmlReader quiet(xmlTextReader* made) {
  XmlReader reader(made);
  if (reader)
    xmlTextReaderSetStructuredErrorHandler(
        made, [](void*, xmlErrorPtr) {}, nullptr);
  return reader;
}

std::string text_and_freed(xmlChar* value) {
  std::string text(value ? reinterpret_cast<const char*>(value) : "");
  xmlFree(value);
  return text;
}

std::string attribute_of(xmlTextReader* element, const char* name) {
  return text_and_freed(xmlTextReaderGetAttribute(element, reinterpret_cast<const xmlChar*>(name)));
}

/// Without a prefix, whether or not it is declared; empty for what is no element.
std::string element_at(xmlTextReader* reader) {
  if (xmlTextReaderNodeType(reader) != XML_READER_TYPE_ELEMENT) return {};
  const std::string name = reinterpret_cast<const char*>(xmlTextReaderConstName(reader));
  return name.substr(name.find(':') + 1);
}

/// The first line, and of that the beginning; no letter is cut in two.
std::string beginning_of(const std::string& words) {
  constexpr std::size_t kEnough = 200;
  const std::size_t begin = std::min(words.find_first_not_of(" \t\r\n"), words.size());
  std::size_t end = std::min({words.find_first_of("\r\n", begin), words.size(), begin + kEnough});
  while (end > begin && end < words.size() && (static_cast<unsigned char>(words[end]) & 0xC0U) == 0x80U)
    --end;
  return words.substr(begin, end - begin);
}

tl::unexpected<Failure> exception_in(xmlTextReader* reader, const std::string& url) {
  std::string said;
  while (said.empty() && xmlTextReaderRead(reader) == 1)
    if (const std::string name = element_at(reader); name == "ExceptionText" || name == "ServiceException")
      said = beginning_of(text_and_freed(xmlTextReaderReadString(reader)));
  return fail(FailureKind::invalid_input,
              url + ": the service refuses" + (said.empty() ? ", and does not say why" : ": " + said));
}

/// Whether the elements in this one are features.
bool holds_features(const std::string& name) {
  return name == "member" || name == "featureMember" || name == "featureMembers";
}

std::size_t mark_of_feature(xmlTextReader* feature) {
  for (const char* name : {"gml:id", "fid", "id"})
    if (const std::string id = attribute_of(feature, name); !id.empty()) return mark_of(id);
  return mark_of(text_and_freed(xmlTextReaderReadOuterXml(feature)));
}

/// One element after the other.
Result<FeatureAnswer> answer_in_xml(const XmlReader& reader, const std::string& url) {
  FeatureAnswer answer;
  int read = reader ? xmlTextReaderRead(reader.get()) : -1;
  while (read == 1) {
    const int depth = xmlTextReaderDepth(reader.get());
    const std::string name = element_at(reader.get());
    if (depth == 0 && name.ends_with("ExceptionReport")) return exception_in(reader.get(), url);
    if (depth == 0 && !name.empty()) {
      if (name != "FeatureCollection")
        return fail(FailureKind::invalid_input,
                    url + ": is XML, but no FeatureCollection (its root is " + name + ")");
      answer.matched = told_number(attribute_of(reader.get(), "numberMatched"));
      if (!answer.matched) answer.matched = told_number(attribute_of(reader.get(), "numberOfFeatures"));
    }
    if (depth == 2 && !name.empty()) answer.features.push_back(mark_of_feature(reader.get()));
    const bool is_passed_over = depth == 2 || (depth == 1 && !name.empty() && !holds_features(name));
    read = is_passed_over ? xmlTextReaderNext(reader.get()) : xmlTextReaderRead(reader.get());
  }
  if (read < 0) return fail(FailureKind::invalid_input, url + ": is not XML as it should be");
  return answer;
}

// ---- either ----

char first_letter_of(std::string_view text) {
  const std::size_t first = text.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  return first == std::string_view::npos ? '\0' : text[first];
}

tl::unexpected<Failure> no_features(const std::string& url) {
  return fail(FailureKind::invalid_input, url + ": is neither GeoJSON nor GML");
}

}  // namespace

Result<FeatureAnswer> feature_answer(std::string_view text, const std::string& url) {
  const char begins = first_letter_of(text);
  if (begins == '{') return answer_in_json(simdjson::padded_string(text), url);
  if (begins != '<') return no_features(url);
  return answer_in_xml(
      quiet(xmlReaderForMemory(text.data(), static_cast<int>(text.size()), nullptr, nullptr, kReading)), url);
}

Result<FeatureAnswer> feature_answer(const std::filesystem::path& file, const std::string& url) {
  std::array<char, 64> beginning{};
  std::ifstream in(file, std::ios::binary);
  in.read(beginning.data(), beginning.size());
  const char begins = first_letter_of({beginning.data(), static_cast<std::size_t>(in.gcount())});
  if (begins == '<') return answer_in_xml(quiet(xmlReaderForFile(file.c_str(), nullptr, kReading)), url);
  if (begins != '{') return no_features(url);
  std::error_code error;
  if (std::filesystem::file_size(file, error) > kLongestJson)
    return fail(FailureKind::invalid_input, url + ": is longer than a page of GeoJSON may be (256 MB)");
  const auto text = simdjson::padded_string::load(file.string());
  if (!text.error()) return answer_in_json(text.value_unsafe(), url);
  return fail(FailureKind::internal, file.string() + ": " + simdjson::error_message(text.error()));
}

}  // namespace geo::offices
