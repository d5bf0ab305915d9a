#include "geo/addresses/abbreviations.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace geo {
namespace {

constexpr std::size_t kMostWrittenOut = 256;  // each costs a look-up in every register
constexpr std::size_t kShortestStem = 3;      // letters before an abbreviated end: "hofpl.", not "upl."

/// Where an abbreviation may stand, and what it needs to be taken for one.
enum class Standing {
  word,              // with a dot
  word_or_end,       // with a dot, also at the end of a word: "Neubaug."
  word_without_dot,  // it means nothing else: "Rte de Berne"
  word_or_end_without_dot,
};

struct Abbreviation {
  std::string_view shorter;
  std::string_view longer[4];  ///< up to the first that is empty
  Standing standing = Standing::word;
};

/// As address_pieces() writes them: "str" has become "strasse" there, and "St." is compared as "sankt".
constexpr Abbreviation kAbbreviations[] = {
    // In German.
    {"g", {"gasse"}, Standing::word_or_end},
    {"pl", {"platz", "place"}, Standing::word_or_end_without_dot},
    {"plz", {"platz"}, Standing::word_or_end_without_dot},
    {"w", {"weg"}, Standing::word_or_end},
    {"al", {"allee"}, Standing::word_or_end},
    {"all", {"allee"}, Standing::word_or_end},
    {"bhf", {"bahnhof"}, Standing::word_without_dot},
    {"br", {"bruecke"}, Standing::word_or_end},
    {"d", {"damm"}, Standing::word_or_end},
    {"gtl", {"guertel"}, Standing::word_or_end},
    {"guert", {"guertel"}, Standing::word_or_end},
    {"l", {"laende"}, Standing::word_or_end},
    {"mkt", {"markt"}, Standing::word_or_end},
    {"prom", {"promenade"}, Standing::word_or_end},
    {"r", {"ring", "rue"}, Standing::word_or_end},
    {"sdlg", {"siedlung"}, Standing::word_or_end},
    {"siedl", {"siedlung"}, Standing::word_or_end},
    {"z", {"zeile"}, Standing::word_or_end},
    // In French.
    {"av", {"avenue"}, Standing::word_without_dot},
    {"ave", {"avenue"}, Standing::word_without_dot},
    {"bd", {"boulevard"}, Standing::word_without_dot},
    {"blvd", {"boulevard"}, Standing::word_without_dot},
    {"boul", {"boulevard"}},
    {"bvd", {"boulevard"}, Standing::word_without_dot},
    {"ch", {"chemin", "chaussee"}, Standing::word_or_end},
    {"chem", {"chemin"}},
    {"crs", {"cours"}},
    {"esp", {"esplanade"}},
    {"fbg", {"faubourg"}, Standing::word_without_dot},
    {"gd", {"grand", "grande"}, Standing::word_without_dot},
    {"imp", {"impasse"}},
    {"pass", {"passage"}},
    {"q", {"quai"}},
    {"qu", {"quai"}},
    {"rte", {"route"}, Standing::word_without_dot},
    {"sent", {"sentier"}},
    {"sq", {"square"}},
    {"ste", {"sainte"}, Standing::word_without_dot},
    // In Italian.
    {"cso", {"corso"}, Standing::word_without_dot},
    {"ple", {"piazzale"}, Standing::word_without_dot},
    {"pza", {"piazza"}, Standing::word_without_dot},
    {"pzza", {"piazza"}, Standing::word_without_dot},
    {"s", {"san", "santa", "santo"}},
    {"strasse", {"strada"}},
    {"v", {"via", "von", "vom"}},
    {"vic", {"vicolo"}},
    {"vle", {"viale"}, Standing::word_without_dot},
    // What joins the parts of a name.
    {"a", {"am", "an"}},
    {"b", {"bei", "beim"}},
    {"d", {"der", "des", "den", "dem"}},
    {"i", {"im", "in"}},
    {"u", {"und", "unter"}},
    {"z", {"zum", "zur"}},
    // Adjectives, with the ends that street names give them.
    {"gr", {"grosse", "grosser", "grosses", "grossen"}},
    {"hint", {"hintere", "hinterer", "hinteres", "hinteren"}},
    {"hl", {"heilig", "heilige", "heiligen", "heiliger"}},
    {"kl", {"kleine", "kleiner", "kleines", "kleinen"}},
    {"n", {"neue", "neuer", "neues", "neuen"}},
    {"ob", {"obere", "oberer", "oberes", "oberen"}},
    {"unt", {"untere", "unterer", "unteres", "unteren"}},
    {"vord", {"vordere", "vorderer", "vorderes", "vorderen"}},
    // First names.
    {"fr", {"friedrich", "franz"}},
    {"friedr", {"friedrich"}},
    {"joh", {"johann", "johannes"}},
    {"wilh", {"wilhelm"}},
};

/// Registers abbreviate these as well, so whoever writes them out means the same street.
constexpr Abbreviation kTitles[] = {
    {"bgm", {"buergermeister"}, Standing::word_without_dot},
    {"bgmstrasse", {"buergermeister", "bgm"}},  // "Bgmstr.", whose end was spelled out as a street
    {"buergerm", {"buergermeister", "bgm"}},
    {"dr", {"doktor"}, Standing::word_without_dot},
    {"gen", {"general"}},
    {"ing", {"ingenieur"}},
    {"prof", {"professor"}, Standing::word_without_dot},
};

/// Abbreviated by its first and last letters, with a dot between them.
struct TwoPieces {
  std::string_view first, second, longer;
};
constexpr TwoPieces kTwoPieces[] = {
    {"c", "so", "corso"},   {"l", "go", "largo"}, {"p", "le", "piazzale"}, {"p", "za", "piazza"},
    {"p", "zza", "piazza"}, {"s", "ta", "santa"}, {"v", "le", "viale"},    {"v", "lo", "vicolo"},
};

bool needs_dot(Standing standing) { return standing == Standing::word || standing == Standing::word_or_end; }
bool may_end_a_word(Standing standing) {
  return standing == Standing::word_or_end || standing == Standing::word_or_end_without_dot;
}

/// What may stand in a name in place of the next pieces.
struct WrittenOut {
  AddressPiece piece;
  std::size_t replaces = 1;
};

void append_longer(const Abbreviation& abbreviation, const AddressPiece& piece,
                   std::vector<WrittenOut>& ways) {
  const std::string_view text = piece.text, shorter = abbreviation.shorter;
  if (!text.ends_with(shorter) || (!piece.abbreviated && needs_dot(abbreviation.standing))) return;
  const std::string_view stem = text.substr(0, text.size() - shorter.size());
  const bool fits = stem.empty() || (stem.size() >= kShortestStem && may_end_a_word(abbreviation.standing));
  if (!fits) return;
  for (const std::string_view longer : abbreviation.longer)
    if (!longer.empty()) ways.push_back({{.text = std::string(stem).append(longer)}});
}

void append_shorter(const Abbreviation& title, const AddressPiece& piece, std::vector<WrittenOut>& ways) {
  if (std::find(std::begin(title.longer), std::end(title.longer), piece.text) != std::end(title.longer))
    ways.push_back({{.text = std::string(title.shorter)}});
}

void append_two_pieces(std::span<const AddressPiece> pieces, std::vector<WrittenOut>& ways) {
  if (pieces.size() < 2 || !pieces[0].abbreviated) return;
  for (const TwoPieces& two : kTwoPieces)
    if (pieces[0].text == two.first && pieces[1].text == two.second)
      ways.push_back({{.text = std::string(two.longer)}, 2});
}

/// For the first of the pieces; none for nearly all words.
std::vector<WrittenOut> ways_to_write(std::span<const AddressPiece> pieces) {
  std::vector<WrittenOut> ways;
  if (pieces[0].is_number) return ways;
  for (const Abbreviation& abbreviation : kAbbreviations) append_longer(abbreviation, pieces[0], ways);
  for (const Abbreviation& title : kTitles) append_longer(title, pieces[0], ways);
  for (const Abbreviation& title : kTitles) append_shorter(title, pieces[0], ways);
  append_two_pieces(pieces, ways);
  return ways;
}

/// Follows every way through the pieces, from each of them.
class NameWriter {
 public:
  NameWriter(std::span<const AddressPiece> pieces, std::size_t longest) : pieces_(pieces), longest_(longest) {
    for (std::size_t i = 0; i < pieces.size(); ++i) ways_.push_back(ways_to_write(pieces.subspan(i)));
  }

  std::vector<NameRun> names() {
    const auto is_plain = [](const std::vector<WrittenOut>& ways) { return ways.empty(); };
    if (std::all_of(ways_.begin(), ways_.end(), is_plain)) return {};
    for (std::size_t from = 0; from < pieces_.size(); ++from) extend({"", from, from}, false);
    return std::move(names_);
  }

 private:
  void extend(const NameRun& name, bool written_out) {
    if (name.text.size() > longest_ || names_.size() >= kMostWrittenOut) return;
    if (written_out) names_.push_back(name);
    // No street's name goes on behind a postcode.
    if (name.to == pieces_.size() || like_postcode(pieces_[name.to].text)) return;
    extend(with(name, pieces_[name.to], 1), written_out);
    for (const WrittenOut& way : ways_[name.to]) extend(with(name, way.piece, way.replaces), true);
  }
  static NameRun with(NameRun name, const AddressPiece& piece, std::size_t replaces) {
    append_joined(name.text, piece);
    name.to += replaces;
    return name;
  }

  std::span<const AddressPiece> pieces_;
  std::size_t longest_;
  std::vector<std::vector<WrittenOut>> ways_;  // by piece
  std::vector<NameRun> names_;
};

}  // namespace

std::vector<NameRun> names_written_out(std::span<const AddressPiece> pieces, std::size_t longest) {
  return NameWriter(pieces, longest).names();
}

}  // namespace geo
