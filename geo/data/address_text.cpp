#include "geo/data/address_text.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>

namespace geo {
namespace {

struct Free {
  void operator()(utf8proc_uint8_t* p) const { std::free(p); }
};

/// Case folded and composed; nothing for bytes that are no UTF-8.
std::optional<std::string> folded(std::string_view text) {
  utf8proc_uint8_t* out = nullptr;
  const auto options = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT |
                                                      UTF8PROC_CASEFOLD | UTF8PROC_IGNORE);
  const auto length = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                   static_cast<utf8proc_ssize_t>(text.size()), &out, options);
  const std::unique_ptr<utf8proc_uint8_t, Free> owner(out);
  if (length < 0) return std::nullopt;
  return std::string(reinterpret_cast<char*>(out), static_cast<std::size_t>(length));
}

/// The letter without its accent, German umlauts as two letters.
void append_plain(std::string& word, utf8proc_int32_t c) {
  switch (c) {
    case 0xE4:
      word += "ae";
      return;  // ä
    case 0xF6:
      word += "oe";
      return;  // ö
    case 0xFC:
      word += "ue";
      return;  // ü
    default:
      break;
  }
  utf8proc_int32_t parts[8];
  int boundary = 0;
  const auto count = utf8proc_decompose_char(c, parts, 8, UTF8PROC_DECOMPOSE, &boundary);
  const utf8proc_int32_t base = count > 0 ? parts[0] : c;
  utf8proc_uint8_t bytes[4];
  word.append(reinterpret_cast<char*>(bytes), static_cast<std::size_t>(utf8proc_encode_char(base, bytes)));
}

bool letter_or_digit(utf8proc_int32_t c) {
  switch (utf8proc_category(c)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_ND:
      return true;
    default:
      return false;
  }
}

/// "hauptstr" and a lone "str" are streets.
std::string spelled_out(std::string word) {
  if (word.ends_with("str")) word += "asse";
  return word;
}

constexpr bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
constexpr bool is_ascii_letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// The short way for nearly all words of the three countries: ASCII, umlauts and sharp s; about a twentieth
/// of the time of the long one. False for any other letter, and nothing is appended.
bool append_german_word(std::string_view part, std::vector<std::string>& words) {
  std::string word;
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (is_ascii(part[i])) {
      word += part[i] >= 'A' && part[i] <= 'Z' ? static_cast<char>(part[i] - 'A' + 'a') : part[i];
      continue;
    }
    const std::string_view letter = part.substr(i++, 2);
    if (letter == "ä" || letter == "Ä")
      word += "ae";
    else if (letter == "ö" || letter == "Ö")
      word += "oe";
    else if (letter == "ü" || letter == "Ü")
      word += "ue";
    else if (letter == "ß")
      word += "ss";
    else
      return false;
  }
  words.push_back(spelled_out(std::move(word)));
  return true;
}

/// The long way, by Unicode's tables. False for bytes that are no UTF-8.
bool append_words_of_any_script(std::string_view part, std::vector<std::string>& words) {
  const std::optional<std::string> plain = folded(part);
  if (!plain) return false;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) words.push_back(spelled_out(std::move(word)));
    word.clear();
  };
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(plain->data());
  auto left = static_cast<utf8proc_ssize_t>(plain->size());
  while (left > 0) {
    utf8proc_int32_t c = 0;
    const auto length = utf8proc_iterate(bytes, left, &c);
    if (length <= 0) break;
    bytes += length;
    left -= length;
    if (letter_or_digit(c))
      append_plain(word, c);
    else
      end_word();
  }
  end_word();
  return true;
}

}  // namespace

std::vector<std::string> address_words(std::string_view text) {
  constexpr std::size_t kUsual = 8;
  std::vector<std::string> words;
  words.reserve(kUsual);
  const auto is_part = [](char c) { return !is_ascii(c) || is_ascii_letter_or_digit(c); };
  for (auto at = text.begin(); (at = std::find_if(at, text.end(), is_part)) != text.end();) {
    const auto end = std::find_if_not(at, text.end(), is_part);
    const std::string_view part(at, end);
    if (!append_german_word(part, words) && !append_words_of_any_script(part, words)) return {};
    at = end;
  }
  return words;
}

std::string normal_address_text(std::string_view text) {
  std::string joined;
  joined.reserve(text.size() + text.size() / 4);  // umlauts and "str." grow
  for (const std::string& word : address_words(text)) (joined += joined.empty() ? "" : " ") += word;
  return joined;
}

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<int>> d(a.size() + 1, std::vector<int>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = static_cast<int>(i);
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replaced = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

}  // namespace geo
