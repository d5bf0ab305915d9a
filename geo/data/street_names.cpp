#include "geo/data/street_names.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include "geo/data/address_text.hpp"

namespace geo {
namespace {

constexpr std::size_t kShortest = 4;        // shorter names are similar to too much
constexpr std::size_t kPostings = 200'000;  // looked at in one search
constexpr std::size_t kLikely = 200;        // streets that are compared letter by letter
constexpr std::size_t kLongestRun = 8;      // words that may be one similar name
constexpr int kMostEdits = 3;

int edits_allowed(std::size_t length) { return std::min(kMostEdits, static_cast<int>(length / kShortest)); }

/// Every three letters; the beginning and the end of a name count as letters.
void append_trigrams(std::string_view text, std::vector<std::uint32_t>& trigrams) {
  const auto letter = [text](std::size_t i) {
    return i == 0            ? std::uint32_t{'^'}
           : i > text.size() ? std::uint32_t{'$'}
                             : std::uint32_t{static_cast<unsigned char>(text[i - 1])};
  };
  for (std::size_t i = 0; i + 2 < text.size() + 2; ++i)
    trigrams.push_back(letter(i) << 16 | letter(i + 1) << 8 | letter(i + 2));
}

void keep_distinct(std::vector<std::uint32_t>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
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

/// Consecutive pieces, joined, that may be a name.
struct Run {
  std::string text;
  std::size_t from, to;
};
std::vector<Run> runs_of(std::span<const AddressPiece> pieces, std::size_t longest) {
  std::vector<Run> runs;
  for (std::size_t from = 0; from < pieces.size(); ++from) {
    std::string joined;
    for (std::size_t to = from + 1; to <= pieces.size() && to <= from + kLongestRun; ++to) {
      append_joined(joined, pieces[to - 1]);
      if (joined.size() > longest + kMostEdits) break;
      if (joined.size() >= kShortest) runs.push_back({joined, from, to});
    }
  }
  return runs;
}

}  // namespace

std::uint32_t StreetNames::add(std::string_view name) {
  std::string joined = joined_text(address_pieces(name).all);
  const auto [it, is_new] = numbers_.try_emplace(joined, static_cast<std::uint32_t>(names_.size()));
  if (is_new) {
    longest_ = std::max(longest_, joined.size());
    names_.push_back(std::move(joined));
  }
  return it->second;
}

void StreetNames::prepare() {
  for (std::uint32_t street = 0; street < names_.size(); ++street) {
    std::vector<std::uint32_t> trigrams;
    if (names_[street].size() >= kShortest) append_trigrams(names_[street], trigrams);
    keep_distinct(trigrams);
    trigrams_.push_back(static_cast<std::uint16_t>(std::min<std::size_t>(trigrams.size(), UINT16_MAX)));
    for (const std::uint32_t trigram : trigrams) by_trigram_[trigram].push_back(street);
  }
}

std::vector<StreetNames::Reading> StreetNames::named_in(std::span<const AddressPiece> pieces) const {
  std::vector<Reading> readings;
  for (std::size_t from = 0; from < pieces.size(); ++from) {
    std::string joined;
    for (std::size_t to = from + 1; to <= pieces.size(); ++to) {
      append_joined(joined, pieces[to - 1]);
      if (joined.size() > longest_) break;
      if (const auto it = numbers_.find(std::string_view(joined)); it != numbers_.end())
        readings.push_back({it->second, from, to, 0});
    }
  }
  return readings;
}

/// The streets that share most of their trigrams with the text.
std::vector<std::uint32_t> StreetNames::likely(std::span<const AddressPiece> pieces,
                                               std::size_t& looked_at) const {
  std::vector<std::uint32_t> trigrams;
  std::string all;
  for (const AddressPiece& piece : pieces) {
    append_trigrams(plain_word(piece.text), trigrams);
    append_joined(all, piece);
  }
  append_trigrams(all, trigrams);  // across the words
  keep_distinct(trigrams);
  std::vector<const std::vector<std::uint32_t>*> lists;
  for (const std::uint32_t trigram : trigrams)
    if (const auto it = by_trigram_.find(trigram); it != by_trigram_.end()) lists.push_back(&it->second);
  std::sort(lists.begin(), lists.end(), [](const auto* a, const auto* b) { return a->size() < b->size(); });

  std::vector<std::uint16_t> shared(names_.size());
  std::vector<std::uint32_t> streets;
  std::size_t postings = 0;
  for (const auto* list : lists) {
    if (postings > 0 && postings + list->size() > kPostings) break;
    postings += list->size();
    for (const std::uint32_t street : *list)
      if (shared[street]++ == 0) streets.push_back(street);
  }
  looked_at += postings;
  const auto more = [&](std::uint32_t a, std::uint32_t b) {
    const auto left = std::uint32_t{shared[a]} * trigrams_[b],
               right = std::uint32_t{shared[b]} * trigrams_[a];
    return left != right ? left > right : a < b;
  };
  const auto kept = streets.begin() + static_cast<std::ptrdiff_t>(std::min(kLikely, streets.size()));
  std::partial_sort(streets.begin(), kept, streets.end(), more);
  streets.erase(kept, streets.end());
  return streets;
}

std::vector<StreetNames::Reading> StreetNames::similar_to(std::span<const AddressPiece> pieces,
                                                          std::size_t& looked_at) const {
  const auto runs = runs_of(pieces, longest_);
  std::vector<Reading> readings;
  for (const std::uint32_t street : likely(pieces, looked_at)) {
    const std::string& name = names_[street];
    std::optional<Reading> best;
    for (const Run& run : runs) {
      const int most = std::min(edits_allowed(std::min(run.text.size(), name.size())),
                                best ? best->edits - 1 : kMostEdits);
      const int longer = std::abs(static_cast<int>(run.text.size()) - static_cast<int>(name.size()));
      if (longer > most) continue;
      ++looked_at;
      const int edits = edit_distance(run.text, name, most);
      if (edits > 0 && edits <= most && same_digits(run.text, name))
        best = Reading{street, run.from, run.to, edits};
    }
    if (best) readings.push_back(*best);
  }
  return readings;
}

}  // namespace geo
