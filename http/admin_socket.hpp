// The operator's door: DATA/roofd.sock (mode 0600). A running server listens on it; a command sends one JSON
// object in a line, {"command": "key add", "account": "1", "name": "..."}, and reads one in a line, {"ok":
// true, "text": "..."}.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace http {

struct AdminResult {
  bool ok = false;
  std::string text;
};
/// "command" and its arguments by name.
using AdminRequest = std::map<std::string, std::string>;

class AdminSocket {
 public:
  using Handle = std::function<AdminResult(const AdminRequest&)>;
  /// Listens on `directory`/roofd.sock; a socket left behind by a dead server is replaced. Null when it
  /// cannot.
  static std::unique_ptr<AdminSocket> listen(const std::string& directory, Handle handle);
  ~AdminSocket();

  /// Asks the server of that directory; nothing when none answers.
  static std::optional<AdminResult> ask(const std::string& directory, const AdminRequest& request);

 private:
  struct Impl;
  explicit AdminSocket(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace http
