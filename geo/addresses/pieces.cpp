#include "geo/addresses/pieces.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <unordered_map>

#include "geo/addresses/text.hpp"

namespace geo {
namespace {

/// What a word says beside a house's number.
enum class Meaning { other, number, door, floor, place_in_house };

Meaning meaning_of(std::string_view word) {
  using enum Meaning;
  static const std::unordered_map<std::string_view, Meaning> meanings = {
      {"nr", number},
      {"nummer", number},
      {"hausnummer", number},
      {"hausnr", number},
      {"hnr", number},
      {"haus", number},
      {"no", number},
      // A number after one of these is a stairway's or door's, in Austria also written "10/2/14".
      {"stiege", door},
      {"stg", door},
      {"tuer", door},
      {"top", door},
      {"wohnung", door},
      {"whg", door},
      {"apartment", door},
      {"appartement", door},
      {"app", door},
      {"apt", door},
      {"stock", floor},
      {"stockwerk", floor},
      {"etage", floor},
      {"og", floor},
      {"ug", floor},
      {"obergeschoss", floor},
      {"untergeschoss", floor},
      {"aufgang", floor},
      {"eingang", floor},
      {"zimmer", floor},
      {"eg", place_in_house},
      {"dg", place_in_house},
      {"erdgeschoss", place_in_house},
      {"dachgeschoss", place_in_house},
      {"parterre", place_in_house},
      {"hochparterre", place_in_house},
      {"hinterhaus", place_in_house},
      {"vorderhaus", place_in_house},
      {"seitenfluegel", place_in_house},
      {"links", place_in_house},
      {"rechts", place_in_house},
      {"mitte", place_in_house},
      {"li", place_in_house},
      {"re", place_in_house}};
  const auto it = meanings.find(word);
  return it == meanings.end() ? other : it->second;
}

/// "5 bis", as French-speaking places count houses between 5 and 7.
bool is_latin_suffix(std::string_view word) { return word == "bis" || word == "ter" || word == "quater"; }

bool single_letter(std::string_view text) { return text.size() == 1 && text[0] >= 'a' && text[0] <= 'z'; }

std::uint64_t value_of(std::string_view text) {
  std::uint64_t value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc()) return UINT64_MAX;
  return value;
}

std::string_view digits_of(std::string_view text) {
  return text.substr(0, std::min(text.find_first_not_of("0123456789"), text.size()));
}

/// Reads tokens from left to right; each member takes what it recognises and says whether it did.
class Cutter {
 public:
  explicit Cutter(std::vector<AddressToken> tokens) : tokens_(std::move(tokens)) {
    pieces_.all.reserve(tokens_.size() + 1);
  }

  AddressPieces cut() {
    while (at_ < tokens_.size())
      if (!care_of() && !country_before_postcode() && !glued_country() && !floor_by_ordinal() && !door() &&
          !number())
        word();
    return std::move(pieces_);
  }

 private:
  const AddressToken* token(std::size_t ahead = 0) const {
    return at_ + ahead < tokens_.size() ? &tokens_[at_ + ahead] : nullptr;
  }
  bool follows_digits(std::size_t ahead) const {
    return token(ahead) && starts_with_digit(token(ahead)->text);
  }
  void add(AddressPiece piece) { pieces_.all.push_back(std::move(piece)); }
  void add_needless(std::string text) {
    const bool is_number = starts_with_digit(text);
    add({.text = std::move(text), .is_number = is_number, .needless = true});
  }

  /// "c/o Familie Muster," up to the comma; without one only the "c/o" itself.
  bool care_of() {
    if (!single_letter(token()->text) || token()->text != "c" || !token(1) || token(1)->text != "o" ||
        token(1)->before != '/')
      return false;
    const auto begin = tokens_.begin() + static_cast<std::ptrdiff_t>(at_) + 2;
    const auto comma =
        std::find_if(begin, tokens_.end(), [](const AddressToken& t) { return t.before == ','; });
    const auto end = comma == tokens_.end() ? begin : comma;
    for (; at_ < static_cast<std::size_t>(end - tokens_.begin()); ++at_) add_needless(token()->text);
    return true;
  }

  /// "A-1010", ", D 45149": the letter would be a house's anywhere else.
  bool is_country_letter(std::size_t ahead) const {
    const AddressToken* letter = token(ahead);
    const AddressToken* code = token(ahead + 1);
    if (!letter || !code || (letter->text != "a" && letter->text != "d") || !like_postcode(code->text))
      return false;
    const bool begins_phrase = letter->before == ',' || at_ + ahead == 0;
    return (code->before == '-' && code->tight) || (begins_phrase && code->before == ' ');
  }
  bool country_before_postcode() {
    if (!is_country_letter(0)) return false;
    add({.text = token()->text, .country = token()->text == "a" ? Country::at : Country::de});
    ++at_;
    return true;
  }
  /// "D45149", "CH3011"
  bool glued_country() {
    const std::string& text = token()->text;
    if (!ends_with_digit(text)) return false;
    const std::size_t letters = std::min(text.find_first_of("0123456789"), text.size());
    if (letters == 0 || !like_postcode(std::string_view(text).substr(letters))) return false;
    const std::string name = text.substr(0, letters);
    const auto country = name == "a"   ? Country::at
                         : name == "d" ? std::optional(Country::de)
                                       : country_named(name);
    if (!country) return false;
    add({.text = name, .country = country});
    add({.text = text.substr(letters), .is_number = true});
    ++at_;
    return true;
  }

  bool number_seen() const {
    return std::any_of(pieces_.all.begin(), pieces_.all.end(),
                       [](const AddressPiece& p) { return p.is_number; });
  }
  /// "3. Stock", "2. Stiege"
  bool floor_by_ordinal() {
    if (!follows_digits(0) || !token()->dot_behind || !token(1)) return false;
    const std::string& what = token(1)->text;
    const bool is_stairway = what == "stiege" || what == "stg";
    if (!is_stairway && meaning_of(what) != Meaning::floor) return false;
    if (is_stairway) pieces_.doors.push_back(token()->text);
    add_needless(token()->text);
    add_needless(what);
    at_ += 2;
    return true;
  }
  /// "Stiege 2", "Tür 14", "Top 3a", "EG", "Hinterhaus": right behind the number, or a phrase of its own.
  bool door() {
    if (!number_seen()) return false;
    const std::string& what = token()->text;
    const Meaning meaning = meaning_of(what);
    const bool is_door = meaning == Meaning::door, is_floor = meaning == Meaning::floor;
    if (!is_door && !is_floor && meaning != Meaning::place_in_house) return false;
    const AddressPiece& last = pieces_.all.back();
    if (!last.is_number && !last.needless && token()->before != ',') return false;
    add_needless(what);
    ++at_;
    // One number per word; more only after a slash.
    for (bool first = true; (is_door || is_floor) && is_door_number(first); first = false, ++at_) {
      if (is_door) pieces_.doors.push_back(token()->text);
      add_needless(token()->text);
    }
    return true;
  }
  bool is_door_number(bool first) const {
    if (!token() || token()->before == ',' || is_country_letter(0)) return false;
    const std::string& text = token()->text;
    const bool is_id = single_letter(text) || (starts_with_digit(text) && digits_of(text).size() <= 3);
    return is_id && (first || token()->before == '/');
  }

  bool number() {
    if (!follows_digits(0)) return false;
    std::string text = token()->text;
    ++at_;
    while (continue_number(text)) {
    }
    add({.text = std::move(text), .is_number = true});
    return true;
  }
  /// Appends the next tokens when they belong to the number; false: they do not.
  bool continue_number(std::string& text) {
    if (!token() || token()->before == ',') return false;
    if (is_country_letter(0)) return false;
    return fraction(text) || further_digits(text) || letter(text) || latin_suffix(text);
  }
  /// "5 1/2"
  bool fraction(std::string& text) {
    const AddressToken* over = token(1);
    if (token()->before != ' ' || !all_digits(text) || token()->text.size() != 1 ||
        !all_digits(token()->text) || !over || over->before != '/' || over->text.size() != 1 ||
        !all_digits(over->text) || token()->text >= over->text)
      return false;
    text += " " + token()->text + "/" + over->text;
    at_ += 2;
    return true;
  }
  /// "-14", "/2", "+4", ".1"; also a raised digit, though no house has one.
  bool further_digits(std::string& text) {
    const AddressToken& next = *token();
    if (next.before == ' ' || !starts_with_digit(next.text)) return false;
    if (next.before == '-' && !append_range(text, next.text)) return false;
    if (next.before != '-') (text += next.before) += next.text;
    ++at_;
    return true;
  }
  /// False: what follows the dash is a postcode.
  static bool append_range(std::string& text, const std::string& end) {
    const auto part = text.find_last_of("-/+.^ ");
    const std::string_view begin = std::string_view(text).substr(part == text.npos ? 0 : part + 1);
    const std::uint64_t from = value_of(digits_of(begin)), to = value_of(digits_of(end));
    constexpr std::uint64_t kLongest = 500;
    if (like_postcode(end) && to > from && to - from > kLongest) return false;
    if (from == to && end.size() > digits_of(end).size())
      text += "-" + end.substr(digits_of(end).size());  // "12a-12c"
    else
      text += (to < from ? "/" : "-") + end;  // "12-3" is no range
    return true;
  }
  /// "3 A", "3-a"; "12a-c" is a range, "12/a" a stairway.
  bool letter(std::string& text) {
    const AddressToken& next = *token();
    const bool abbreviates = next.dot_behind && token(1) && token(1)->before != ',';
    if (!single_letter(next.text) || abbreviates) return false;
    const bool joins =
        ends_with_digit(text) && (next.before == ' ' || next.before == '-' || next.before == '.');
    if (next.before == ' ' && !joins) return false;
    if (!joins) text += next.before;
    text += next.text;
    ++at_;
    return true;
  }
  /// "5 bis" (French); "5 bis 7" (German) is a range.
  bool latin_suffix(std::string& text) {
    if (token()->before != ' ' || !is_latin_suffix(token()->text)) return false;
    if (token()->text == "bis" && follows_digits(1) && token(1)->before != ',') {
      if (!append_range(text, token(1)->text)) return false;
      at_ += 2;
      return true;
    }
    if (!ends_with_digit(text)) return false;
    text += token()->text;
    ++at_;
    return true;
  }

  void word() {
    AddressToken& t = tokens_[at_];
    const bool needless = follows_digits(1) && meaning_of(t.text) == Meaning::number;
    const auto country = country_named(t.text);
    add({.text = std::move(t.text), .needless = needless, .abbreviated = t.dot_behind, .country = country});
    ++at_;
  }

  std::vector<AddressToken> tokens_;
  std::size_t at_ = 0;
  AddressPieces pieces_;
};

}  // namespace

AddressPieces address_pieces(std::string_view text) { return Cutter(address_tokens(text)).cut(); }

std::string normal_address_text(std::string_view text) {
  std::string normal;
  normal.reserve(text.size() + text.size() / 4);  // umlauts and "str." grow
  for (const AddressPiece& piece : address_pieces(text).all) {
    if (!normal.empty()) normal += ' ';
    normal += piece.text;
  }
  return normal;
}

void append_joined(std::string& joined, const AddressPiece& piece) {
  if (ends_with_digit(joined) && starts_with_digit(piece.text)) joined += ' ';
  joined += plain_word(piece.text);
}

std::string joined_text(const std::vector<AddressPiece>& pieces) {
  std::string joined;
  for (const AddressPiece& piece : pieces) append_joined(joined, piece);
  return joined;
}

std::string_view plain_word(std::string_view word) {
  return word == "st" || word == "saint" ? std::string_view("sankt") : word;
}

bool like_postcode(std::string_view text) {
  return all_digits(text) && (text.size() == 4 || text.size() == 5);
}

}  // namespace geo
