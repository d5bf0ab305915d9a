// A feature service's pages while they are fetched.
#pragma once
#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "geo/fetch/fetcher.hpp"
#include "geo/offices/data_folder.hpp"
#include "geo/offices/feature_pages.hpp"
#include "geo/offices/plan.hpp"

namespace geo::offices {

/// Looks at pages as they come, and ends the asking once two are not whole: all the others will be so, too.
/// Does nothing for a set that does not come by pages. Refers to the plan.
class PageWatch {
 public:
  PageWatch(const SetPlan& set, const DataFolder& folder);

  /// One more than the plan's, to stand behind them: the page behind the last, which must be empty. Some
  /// services count no further than they send at once.
  std::optional<FileRequest> request_behind() const;
  bool is_behind(std::size_t request) const { return request >= set_.found.files.size(); }

  void came(std::size_t request);  ///< from any thread
  bool goes_on() const { return faulty_ < kMostFaulty; }
  /// What was found of a page; good when it has not come.
  const Result<void>& of(std::size_t request) const { return looked_[request]; }
  /// After the last: removes what is not whole, and the count, so that the next call asks for them anew.
  /// Fails when the pages do not make a whole together.
  Result<void> finish();

 private:
  static constexpr int kMostFaulty = 2;
  const ListedFile* listed(std::size_t request) const;
  const SetPlan& set_;
  const DataFolder& folder_;
  std::optional<ListedFile> behind_;
  PageCheck pages_;
  std::vector<Result<void>> looked_;
  std::atomic<int> faulty_ = 0;
};

}  // namespace geo::offices
