#include "geo/offices/feature_pages.hpp"

#include <algorithm>

#include "geo/offices/feature_answer.hpp"
#include "geo/offices/listing_forms.hpp"

namespace geo::offices {
namespace {

constexpr std::string_view kOffsetField = "{offset}", kCountField = "{count}";
constexpr double kFewDoubled = 0.001;  // of all: added between the first page and the last

void fill(std::string& url, std::string_view field, std::uint64_t value) {
  const std::string digits = std::to_string(value);
  for (std::size_t at = 0; (at = url.find(field, at)) != std::string::npos; at += digits.size())
    url.replace(at, field.size(), digits);
}

std::string url_of_page(const FindRule& rule, std::uint64_t first) {
  std::string url = rule.page_url;
  fill(url, kOffsetField, first);
  fill(url, kCountField, rule.page_size);
  return url;
}

std::string features(std::uint64_t count) { return std::to_string(count) + " features"; }

/// The sentence's end that refuses a page for how many it holds; empty when that is right.
std::string wrong_count(const FeatureAnswer& answer, const FeaturePage& page) {
  const std::size_t held = answer.features.size();
  if (page.first == page.all && held > 0)
    return "holds features behind the " + std::to_string(page.all) +
           " that the service has by its own count: it has more by now (start again), or counts no further";
  if (held < page.count)
    return "holds " + features(held) + ", and should hold " + std::to_string(page.count) +
           ": the service has lost some since it was counted (start again), or sends no more at once (a "
           "recipe of your own with a smaller page_size can follow)";
  if (held > page.most)
    return "holds " + features(held) + ", though " + std::to_string(page.most) + " were asked for";
  if (page.first + page.count == page.all && answer.matched.value_or(0) > page.all)
    return "says that there are " + features(*answer.matched) + ", and " + std::to_string(page.all) +
           " were counted; start again";
  return {};
}

bool comes_by_pages(const FindRule& rule) { return rule.page_url.find(kOffsetField) != std::string::npos; }

}  // namespace

std::optional<ListedFile> page_behind(const FindRule& rule, const FeaturePage& last) {
  if (!comes_by_pages(rule)) return {};
  ListedFile file;
  file.url = url_of_page(rule, last.all);
  file.page = FeaturePage{last.all, 0, last.most, last.all};
  return file;
}

Result<Listing> read_feature_count(std::string_view text, const std::string& url, const FindRule& rule) {
  const auto answer = feature_answer(text, url);
  if (!answer) return tl::make_unexpected(answer.error());
  if (!answer->matched)
    return fail(FailureKind::invalid_input, url + ": does not tell how many features there are");
  const std::uint64_t size = std::max<std::uint64_t>(1, rule.page_size), all = *answer->matched;
  if (all / size >= kMostListed)
    return fail(FailureKind::invalid_input, url + ": has more features than a million pages hold");
  if (all > size && !comes_by_pages(rule))
    return fail(FailureKind::invalid_input, url + ": has " + features(all) + ", more than a page of " +
                                                std::to_string(size) +
                                                ", and the recipe's page_url has no {offset}");
  Listing listing;
  for (std::uint64_t first = 0; first < all; first += size) {
    ListedFile file;
    file.url = url_of_page(rule, first);
    file.page = FeaturePage{first, std::min(size, all - first), size, all};
    listing.files.push_back(std::move(file));
  }
  return listing;
}

Result<void> PageCheck::look_at(const std::filesystem::path& file, const ListedFile& listed) {
  const auto answer = feature_answer(file, listed.url);
  const bool is_behind = listed.page->first == listed.page->all;
  if (!answer && is_behind) return {};  // an exception there is as good as an empty page
  if (!answer) return tl::make_unexpected(answer.error());
  if (const std::string wrong = wrong_count(*answer, *listed.page); !wrong.empty())
    return fail(FailureKind::invalid_input, listed.url + ": " + wrong);
  const std::lock_guard lock(mutex_);
  std::size_t doubled = 0;
  for (const std::size_t feature : answer->features)
    if (!seen_.insert(feature).second) ++doubled;
  doubled_ += doubled;
  if (2 * doubled <= answer->features.size()) return {};
  return fail(
      FailureKind::invalid_input,
      listed.url + ": holds the features of other pages; the service does not send its features by pages");
}

Result<void> PageCheck::finish(const std::string& set) const {
  if (static_cast<double>(doubled_) <= 1 + kFewDoubled * static_cast<double>(seen_.size())) return {};
  return fail(FailureKind::invalid_input, set + ": " + features(doubled_) +
                                              " came twice, so that others did not come; the service sends "
                                              "them in no fixed order. They are fetched anew");
}

}  // namespace geo::offices
