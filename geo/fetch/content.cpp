#include "geo/fetch/content.hpp"

#include <array>
#include <cctype>

#include "geo/lower_case.hpp"

namespace geo {
namespace {

using namespace std::string_view_literals;

bool begins(std::string_view bytes, std::string_view magic) { return bytes.starts_with(magic); }

bool is_tiff(std::string_view bytes) {
  return begins(bytes, "II*\0"sv) || begins(bytes, "MM\0*"sv) || begins(bytes, "II+\0"sv) ||
         begins(bytes, "MM\0+"sv);
}

/// Without a byte order mark and blanks.
std::string_view first_word(std::string_view bytes) {
  if (begins(bytes, "\xEF\xBB\xBF")) bytes.remove_prefix(3);
  while (!bytes.empty() && std::isspace(static_cast<unsigned char>(bytes.front()))) bytes.remove_prefix(1);
  return bytes;
}

bool is_html(std::string_view bytes) {
  const std::string_view word = first_word(bytes);
  if (word.empty() || word.front() != '<') return false;
  const std::string low = lower_case(word);
  for (const std::string_view tag : {"<!doctype html"sv, "<html"sv, "<head"sv, "<body"sv, "<title"sv})
    if (begins(low, tag)) return true;
  // XHTML has a line of XML first, old listings a comment.
  return (begins(low, "<?xml") || begins(low, "<!--")) && low.find("<html") != std::string::npos;
}

bool is_number_line(std::string_view bytes) {
  std::string_view word = first_word(bytes);
  word = word.substr(0, word.find_first_of("\r\n"));
  bool digit = false;
  for (const char c : word) {
    if (std::isdigit(static_cast<unsigned char>(c)))
      digit = true;
    else if ("+-.,;eE \t"sv.find(c) == std::string_view::npos)
      return false;
  }
  return digit;
}

bool is_json(std::string_view bytes) {
  const std::string_view word = first_word(bytes);
  return !word.empty() && (word.front() == '{' || word.front() == '[');
}

bool is_xml(std::string_view bytes) {
  const std::string_view word = first_word(bytes);
  return !word.empty() && word.front() == '<' && !is_html(bytes);
}

/// A zip file may be empty of members.
bool is_zip(std::string_view bytes) { return begins(bytes, "PK\3\4") || begins(bytes, "PK\5\6"); }

}  // namespace

bool looks_like(Content content, std::string_view first_bytes) {
  switch (content) {
    case Content::any:
      return true;
    case Content::tiff:
      return is_tiff(first_bytes);
    case Content::zip:
      return is_zip(first_bytes);
    case Content::sqlite:
      return begins(first_bytes, "SQLite format 3\0"sv);
    case Content::json:
      return is_json(first_bytes);
    case Content::xml:
      return is_xml(first_bytes);
    case Content::html:
      return first_word(first_bytes).starts_with('<');
    case Content::numbers:
      return is_number_line(first_bytes);
    case Content::text:
      return !first_bytes.empty() && !is_html(first_bytes);
    case Content::jpeg2000:
      return begins(first_bytes, "\0\0\0\x0CjP  \r\n\x87\n"sv) || begins(first_bytes, "\xFF\x4F\xFF\x51"sv);
  }
  return false;
}

std::string name_of(Content content) {
  constexpr std::array<const char*, 10> kNames{
      "a file", "a TIFF file", "a ZIP file",       "a GeoPackage",         "JSON",
      "XML",    "HTML",        "lines of numbers", "text (but HTML came)", "a JPEG 2000 file"};
  return kNames[static_cast<std::size_t>(content)];
}

}  // namespace geo
