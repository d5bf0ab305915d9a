// One HTTP exchange with libcurl: the only file that knows curl's handles. network.hpp decides when.
#pragma once
#include <memory>

#include "geo/fetch/network.hpp"
#include "geo/fetch/url.hpp"

namespace geo {

/// A connection that stays open from one exchange to the next; of one thread at a time.
class Exchange {
 public:
  Exchange(const NetworkOptions& options, const HostRules& rules);
  ~Exchange();
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  /// The body goes to `take` as it comes. Ends within a tenth of a second once `control` is cancelled.
  FetchResult<HttpAnswer> get(const HttpAsk& ask, const Url& url, const TakeBytes& take,
                              const RunControl& control);

 private:
  struct Handles;
  const NetworkOptions& options_;
  const HostRules& rules_;
  std::unique_ptr<Handles> handles_;
};

}  // namespace geo
