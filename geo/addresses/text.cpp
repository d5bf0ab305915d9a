#include "geo/addresses/text.hpp"

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

constexpr bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
constexpr bool is_ascii_letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// What stands between two tokens.
class Gap {
 public:
  void add(utf8proc_int32_t c) {
    ++length_;
    if (c == ' ') return;  // by far the most frequent, and last in the order
    const char kind = kind_of(c);
    if (kind != kind_ && kOrder.find(kind) < kOrder.find(kind_)) kind_ = kind;
    starts_with_dot_ |= length_ == 1 && c == '.';
  }
  /// A dot followed by anything else ends an abbreviation.
  char kind() const { return kind_ == '.' && length_ > 1 ? ' ' : kind_; }
  bool tight() const { return length_ == 1; }
  bool starts_with_dot() const { return starts_with_dot_; }

 private:
  static constexpr std::string_view kOrder = ",/+-^. ";
  static char kind_of(utf8proc_int32_t c) {
    constexpr utf8proc_int32_t kMinus = 0x2212, kFractionSlash = 0x2044, kDivisionSlash = 0x2215;
    constexpr std::string_view kEnds = ",;:|()[]\n\r\"";
    if (c < 0x80 && kEnds.find(static_cast<char>(c)) != kEnds.npos) return ',';
    if (c == '/' || c == '\\' || c == kFractionSlash || c == kDivisionSlash) return '/';
    if (c == '+' || c == '&') return '+';
    if (c == kMinus || utf8proc_category(c) == UTF8PROC_CATEGORY_PD) return '-';
    if (c == '^' || c == '.') return static_cast<char>(c);
    return ' ';
  }
  char kind_ = ' ';
  int length_ = 0;
  bool starts_with_dot_ = false;
};

/// Takes an address's words and what stands between them, in their order.
class Tokens {
 public:
  Tokens() { tokens_.reserve(kUsual); }
  void gap(utf8proc_int32_t c) { gap_.add(c); }
  /// The text of a new word, to be filled before anything else is taken.
  std::string& word() {
    end_word();
    AddressToken& token = tokens_.emplace_back();
    token.before = gap_.kind();
    token.tight = gap_.tight();
    gap_ = {};
    return token.text;
  }
  std::vector<AddressToken> take() {
    end_word();
    return std::move(tokens_);
  }

 private:
  static constexpr std::size_t kUsual = 8;
  void end_word() {
    if (tokens_.empty()) return;
    AddressToken& last = tokens_.back();
    if (last.text.ends_with("str")) last.text += "asse";  // "hauptstr" and a lone "str" are streets
    last.dot_behind = gap_.starts_with_dot();
  }
  std::vector<AddressToken> tokens_;
  Gap gap_;
};

constexpr char kFirstOfUmlaut = '\xC3';  // the first byte in UTF-8 of umlauts and sharp s

/// By the second byte: "ae" for ä and Ä, "ss" for ß; empty for any other letter.
constexpr std::string_view plain_umlaut(char second) {
  switch (static_cast<unsigned char>(second)) {
    case 0xA4:
    case 0x84:
      return "ae";
    case 0xB6:
    case 0x96:
      return "oe";
    case 0xBC:
    case 0x9C:
      return "ue";
    case 0x9F:
      return "ss";
    default:
      return {};
  }
}

/// Only ASCII, umlauts and sharp s: nearly all words of the three countries.
bool is_german(std::string_view part) {
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (is_ascii(part[i])) continue;
    if (part[i] != kFirstOfUmlaut || ++i == part.size() || plain_umlaut(part[i]).empty()) return false;
  }
  return true;
}

/// The fast path. It takes about a twentieth of the time of the slow path. An umlaut has two bytes and
/// becomes two letters, so the word is as long as the part.
void append_german_word(std::string_view part, std::string& word) {
  std::size_t at = word.size();
  word.append(part);
  for (; at < word.size(); ++at) {
    if (word[at] >= 'A' && word[at] <= 'Z') word[at] = static_cast<char>(word[at] - 'A' + 'a');
    if (word[at] != kFirstOfUmlaut) continue;
    const std::string_view plain = plain_umlaut(word[at + 1]);
    word[at] = plain[0];
    word[++at] = plain[1];
  }
}

/// Calls `take` for every code point; false for bytes that are no UTF-8.
template <class Take>
bool for_each_letter(std::string_view text, const Take& take) {
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  auto left = static_cast<utf8proc_ssize_t>(text.size());
  while (left > 0) {
    utf8proc_int32_t c = 0;
    const auto length = utf8proc_iterate(bytes, left, &c);
    if (length <= 0) return false;
    take(c, std::string_view(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(length)));
    bytes += length;
    left -= length;
  }
  return true;
}

/// Sets raised digits and fractions apart, before folding makes "2²" a 22 and "5½" a 51/2.
std::optional<std::string> odd_numbers_apart(std::string_view part) {
  std::string apart;
  const bool is_utf8 = for_each_letter(part, [&apart](utf8proc_int32_t c, std::string_view bytes) {
    if (utf8proc_category(c) != UTF8PROC_CATEGORY_NO) return void(apart += bytes);
    const auto plain = folded(bytes);
    const bool fraction = plain && plain->find("\u2044") != std::string::npos;
    const char edge = fraction ? ' ' : '^';
    ((apart += edge) += bytes) += edge;
  });
  return is_utf8 ? std::optional(std::move(apart)) : std::nullopt;
}

/// The slow path, by Unicode's tables. False for bytes that are no UTF-8.
bool take_words_of_any_script(std::string_view part, Tokens& tokens) {
  const auto apart = odd_numbers_apart(part);
  const auto plain = apart ? folded(*apart) : std::nullopt;
  if (!plain) return false;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) tokens.word() = std::move(word);
    word.clear();
  };
  for_each_letter(*plain, [&](utf8proc_int32_t c, std::string_view) {
    if (letter_or_digit(c)) return append_plain(word, c);
    end_word();
    tokens.gap(c);
  });
  end_word();
  return true;
}

}  // namespace

std::vector<AddressToken> address_tokens(std::string_view text) {
  Tokens tokens;
  const auto is_part = [](char c) { return !is_ascii(c) || is_ascii_letter_or_digit(c); };
  for (auto at = text.begin(); at != text.end();) {
    if (!is_part(*at)) {
      tokens.gap(*at++);
      continue;
    }
    const auto end = std::find_if_not(at, text.end(), is_part);
    const std::string_view part(at, end);
    if (is_german(part))
      append_german_word(part, tokens.word());
    else if (!take_words_of_any_script(part, tokens))
      return {};
    at = end;
  }
  return tokens.take();
}

std::vector<std::string> address_words(std::string_view text) {
  std::vector<std::string> words;
  for (AddressToken& token : address_tokens(text)) words.push_back(std::move(token.text));
  return words;
}

bool starts_with_digit(std::string_view text) { return !text.empty() && text[0] >= '0' && text[0] <= '9'; }
bool ends_with_digit(std::string_view text) {
  return !text.empty() && text.back() >= '0' && text.back() <= '9';
}
bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

void append_trigrams(std::string_view word, std::vector<std::uint32_t>& trigrams) {
  const auto letter = [word](std::size_t i) {
    return i == 0            ? std::uint32_t{'^'}
           : i > word.size() ? std::uint32_t{'$'}
                             : std::uint32_t{static_cast<unsigned char>(word[i - 1])};
  };
  for (std::size_t i = 0; i < word.size(); ++i)
    trigrams.push_back(letter(i) << 16U | letter(i + 1) << 8U | letter(i + 2));
}

int edit_distance(std::string_view a, std::string_view b, int most) {
  // Three rows of the table: the one before the last serves the swaps.
  std::vector<int> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    int least = row[0];
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
      least = std::min(least, row[j]);
    }
    // A swap can reach back over one row, so both rows must exceed the limit.
    if (least > most && *std::min_element(last.begin(), last.end()) > most) return most + 1;
    before.swap(last);
    last.swap(row);
  }
  return std::min(last[b.size()], most + 1);
}

}  // namespace geo
