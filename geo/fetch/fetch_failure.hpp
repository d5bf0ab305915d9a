// Why something could not be had from the network.
#pragma once
#include <chrono>
#include <string>
#include <utility>

#include "geo/failure.hpp"

namespace geo {

/// `text` is one sentence that names the URL, without passwords, and what to do. The kind is data_overloaded
/// for 429 and 503, invalid_input for a URL that is none and for a full disk (no_room), cancelled, else
/// data_unreachable.
struct FetchFailure : Failure {
  int status = 0;              ///< of HTTP; 0 when there was no whole answer
  bool passes = false;         ///< worth another try, perhaps later
  bool no_connection = false;  ///< nobody is there
  bool other_content = false;  ///< an answer came, but not the file: a page that something is wrong
  std::chrono::seconds retry_after{0};

  /// The server has no such file. Where file names follow a scheme this often means: no data there.
  bool missing() const { return status == 404 || status == 410; }
};

inline FetchFailure fetch_failure(FailureKind kind, std::string text, int status = 0, bool passes = false) {
  FetchFailure failure;
  failure.kind = kind;
  failure.text = std::move(text);
  failure.status = status;
  failure.passes = passes;
  return failure;
}

template <class T>
using FetchResult = tl::expected<T, FetchFailure>;

}  // namespace geo
