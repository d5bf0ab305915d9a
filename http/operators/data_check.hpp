// Whether the catalogue's data sets open, for /readyz. Opening may hang (a network drive, a server that does
// not answer), so it has a thread of its own. A caller waits a moment and is then told that it hangs.
#pragma once
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace http {

/// Thread-safe. Checks at most every ten seconds: a probe must not cost more than the work.
class DataCheck {
 public:
  explicit DataCheck(std::string catalogue);
  /// Waits a second at most; a thread that still hangs is left to itself.
  ~DataCheck();
  DataCheck(const DataCheck&) = delete;
  DataCheck& operator=(const DataCheck&) = delete;

  /// One sentence about what is wrong, after a second at the latest; nothing when all data sets open.
  std::optional<std::string> fault();

 private:
  struct Look;
  std::shared_ptr<Look> look_;
  std::mutex asking_;
  std::thread thread_;
};

}  // namespace http
