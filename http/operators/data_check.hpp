// Whether the catalogue's data sets open, for /readyz. Opening may hang (a network drive, a server that says
// nothing), so it has a thread of its own: whoever asks waits a moment and is then told that.
#pragma once
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace http {

/// Thread-safe. Looks at most every ten seconds: a probe must not cost more than the work.
class DataCheck {
 public:
  explicit DataCheck(std::string catalogue);
  /// A thread that still hangs then is left to itself.
  ~DataCheck();
  DataCheck(const DataCheck&) = delete;
  DataCheck& operator=(const DataCheck&) = delete;

  /// What is wrong, in a sentence, after a second at the latest; nothing when all of them open.
  std::optional<std::string> fault();

 private:
  struct Look;
  std::shared_ptr<Look> look_;
  std::mutex asking_;
  std::thread thread_;
};

}  // namespace http
