// One GET request to an external service with libcurl, bounded in time and in size, over HTTP and HTTPS only.
#pragma once
#include <chrono>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace actors {

struct HttpGetOptions {
  std::chrono::milliseconds connect_timeout{2'000};
  std::chrono::milliseconds timeout{5'000};  ///< of the whole request
  std::string user_agent;
};

struct HttpReply {
  long status = 0;
  std::string body;
  std::chrono::seconds retry_after{0};  ///< as the service asks for; 0: it does not
};

/// Blocks. The error is curl's sentence, without the URL, when there is no complete answer in time or the
/// answer is larger than 1 MB.
tl::expected<HttpReply, std::string> http_get(const std::string& url, const HttpGetOptions& options);

/// `base` with percent-encoded parameters; `base` may have a query already.
std::string with_query(const std::string& base,
                       const std::vector<std::pair<std::string, std::string>>& parameters);

}  // namespace actors
