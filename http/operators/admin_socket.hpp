// The operator's door: DATA/roofd.sock (mode 0600). A running server listens on it. A command sends one JSON
// object in a line,
// {"command": "key add", "account": "1", "name": "..."}, and reads one in a line,
// {"ok": true, "text": "..."}.
// Until that comes the server sends an empty line every second, so that a command can tell that a silent
// server hangs.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>

namespace http {

struct AdminResult {
  bool ok = false;
  std::string text;
};
/// "command" and its arguments by name.
using AdminRequest = std::map<std::string, std::string>;

class AdminSocket {
 public:
  /// Called from several threads at once, so that a command need not wait for a long one before it.
  using Handle = std::function<AdminResult(const AdminRequest&)>;
  /// Listens on `directory`/roofd.sock, however long that path is; replaces a socket left behind by a dead
  /// server. The error is one sentence.
  static tl::expected<std::unique_ptr<AdminSocket>, std::string> listen(const std::string& directory,
                                                                        Handle handle);
  /// Waits for the commands that have begun.
  ~AdminSocket();

  /// Asks the server of that directory; nothing when none answers. When the server falls silent during a
  /// command, the result says so.
  static std::optional<AdminResult> ask(const std::string& directory, const AdminRequest& request);

 private:
  struct Impl;
  explicit AdminSocket(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace http
