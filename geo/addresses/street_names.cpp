#include "geo/addresses/street_names.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include "geo/addresses/abbreviations.hpp"
#include "geo/addresses/text.hpp"

namespace geo {
namespace {

constexpr std::size_t kPostings = 200'000;  // looked at in one search
constexpr std::size_t kLikely = 200;        // streets that are compared letter by letter
constexpr std::size_t kLongestRun = 8;      // words that may be one similar name
constexpr int kMostEdits = 3;

int edits_allowed(std::size_t length) {
  return std::min(kMostEdits, static_cast<int>(length / kShortestName));
}

/// A wrong digit makes another street, not a misspelt one.
bool same_digits(std::string_view a, std::string_view b) {
  const auto digits = [](std::string_view text) {
    std::string found;
    std::copy_if(text.begin(), text.end(), std::back_inserter(found),
                 [](char c) { return c >= '0' && c <= '9'; });
    return found;
  };
  return digits(a) == digits(b);
}

/// Consecutive pieces, joined, that may be a similar name.
std::vector<NameRun> runs_of(std::span<const AddressPiece> pieces, std::size_t longest) {
  std::vector<NameRun> runs;
  for (std::size_t from = 0; from < pieces.size(); ++from) {
    std::string joined;
    for (std::size_t to = from + 1; to <= pieces.size() && to <= from + kLongestRun; ++to) {
      append_joined(joined, pieces[to - 1]);
      if (joined.size() > longest + kMostEdits) break;
      if (joined.size() >= kShortestName) runs.push_back({joined, from, to});
    }
  }
  return runs;
}

/// What of an address may be a street's name, but for edits.
struct SimilarTo {
  std::span<const AddressPiece> pieces;
  std::vector<NameRun> written_out;
};

/// The trigrams of an address's words, and across them, that streets have; the rarest first.
std::vector<std::uint32_t> known_trigrams(const AddressIndex& index, const SimilarTo& text) {
  std::vector<std::uint32_t> trigrams;
  std::string all;
  for (const AddressPiece& piece : text.pieces) {
    append_trigrams(plain_word(piece.text), trigrams);
    append_joined(all, piece);
  }
  append_trigrams(all, trigrams);
  for (const NameRun& name : text.written_out) append_trigrams(name.text, trigrams);
  std::sort(trigrams.begin(), trigrams.end());
  trigrams.erase(std::unique(trigrams.begin(), trigrams.end()), trigrams.end());
  std::vector<std::pair<std::uint32_t, std::uint32_t>> by_rarity;
  for (const std::uint32_t trigram : trigrams)
    if (const std::uint32_t streets = index.streets_with(trigram)) by_rarity.emplace_back(streets, trigram);
  std::sort(by_rarity.begin(), by_rarity.end());
  trigrams.clear();
  for (const auto& [streets, trigram] : by_rarity) trigrams.push_back(trigram);
  return trigrams;
}

/// The streets that share most of their trigrams with the text.
std::vector<std::uint32_t> likely_streets(const AddressIndex& index, const SimilarTo& text,
                                          std::size_t& looked_at) {
  std::vector<std::uint16_t> shared(index.streets());
  std::vector<std::uint32_t> streets, with;
  std::size_t postings = 0;
  for (const std::uint32_t trigram : known_trigrams(index, text)) {
    if (postings > 0 && postings + index.streets_with(trigram) > kPostings) break;
    index.read_streets_with(trigram, with);
    postings += with.size();
    for (const std::uint32_t street : with)
      if (shared.at(street)++ == 0) streets.push_back(street);
  }
  looked_at += postings;
  const auto more = [&](std::uint32_t a, std::uint32_t b) {
    const auto left = std::uint32_t{shared[a]} * index.trigrams_in(b),
               right = std::uint32_t{shared[b]} * index.trigrams_in(a);
    return left != right ? left > right : a < b;
  };
  const auto kept = streets.begin() + static_cast<std::ptrdiff_t>(std::min(kLikely, streets.size()));
  std::partial_sort(streets.begin(), kept, streets.end(), more);
  streets.erase(kept, streets.end());
  return streets;
}

}  // namespace

std::vector<StreetReading> streets_named_in(const AddressIndex& index, std::span<const AddressPiece> pieces) {
  std::vector<StreetReading> readings;
  for (std::size_t from = 0; from < pieces.size(); ++from) {
    std::string joined;
    for (std::size_t to = from + 1; to <= pieces.size(); ++to) {
      append_joined(joined, pieces[to - 1]);
      if (joined.size() > index.longest_name()) break;
      if (const auto street = index.street_named(joined)) readings.push_back({*street, from, to, 0});
    }
  }
  return readings;
}

std::vector<StreetReading> streets_abbreviated_in(const AddressIndex& index,
                                                  std::span<const AddressPiece> pieces,
                                                  std::size_t& looked_at) {
  std::vector<StreetReading> readings;
  for (const NameRun& name : names_written_out(pieces, index.longest_name())) {
    ++looked_at;
    if (const auto street = index.street_named(name.text))
      readings.push_back({*street, name.from, name.to, 0});
  }
  return readings;
}

std::vector<StreetReading> streets_similar_to(const AddressIndex& index, std::span<const AddressPiece> pieces,
                                              std::size_t& looked_at) {
  const SimilarTo text{pieces, names_written_out(pieces, index.longest_name() + kMostEdits)};
  auto runs = runs_of(pieces, index.longest_name());
  std::copy_if(text.written_out.begin(), text.written_out.end(), std::back_inserter(runs),
               [](const NameRun& name) { return name.text.size() >= kShortestName; });
  std::vector<StreetReading> readings;
  for (const std::uint32_t street : likely_streets(index, text, looked_at)) {
    const std::string name = index.street_name(street);
    std::optional<StreetReading> best;
    for (const NameRun& run : runs) {
      const int most = std::min(edits_allowed(std::min(run.text.size(), name.size())),
                                best ? best->edits - 1 : kMostEdits);
      const int longer = std::abs(static_cast<int>(run.text.size()) - static_cast<int>(name.size()));
      if (longer > most) continue;
      ++looked_at;
      const int edits = edit_distance(run.text, name, most);
      if (edits > 0 && edits <= most && same_digits(run.text, name))
        best = StreetReading{street, run.from, run.to, edits};
    }
    if (best) readings.push_back(*best);
  }
  return readings;
}

}  // namespace geo
