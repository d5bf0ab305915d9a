// The pages in which a feature service sends what it has.
#pragma once
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_set>

#include "geo/failure.hpp"
#include "geo/offices/listed.hpp"
#include "geo/offices/recipe.hpp"

namespace geo::offices {

/// The page behind a service's last, which must hold nothing; none where all features come at once.
std::optional<ListedFile> page_behind(const FindRule& rule, const FeaturePage& last);

/// Whether a set's pages are whole. To a service it is no error to send fewer features than it was asked for,
/// the first page again and again, or its features in another order for each page.
class PageCheck {
 public:
  /// A page as it came; from any thread. invalid_input, with a sentence that begins with its URL, when it is
  /// no page, holds fewer features than were counted or more than were asked for, when it is the last and
  /// says that there are more, when it stands behind the last and holds any, and when most of its features
  /// came on other pages.
  Result<void> look_at(const std::filesystem::path& file, const ListedFile& listed);
  /// After the last of them. invalid_input when features came twice, beyond the few that move to the next
  /// page while others are added. Then no page can be trusted.
  Result<void> finish(const std::string& set) const;

 private:
  std::mutex mutex_;
  std::unordered_set<std::size_t> seen_;  ///< FeatureAnswer's hashes
  std::size_t doubled_ = 0;
};

}  // namespace geo::offices
