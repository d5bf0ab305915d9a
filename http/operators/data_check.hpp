// Whether the catalogue's data sets are usable, for /readyz. They are opened once, and again when one of
// their files has changed. In between only the files' times are looked at, which costs the same with one tile
// and with 70,000. Servers are not asked: while one is down, runs elsewhere go on. Even looking may hang (a
// network drive), so it has a thread of its own. A caller waits a moment and is then told that it hangs.
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
  /// `catalogue`: the path of the one in use.
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
