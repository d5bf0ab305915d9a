// Somebody with a browser, without the browser: keeps cookies, sends forms, reads the mails that the service
// writes to files.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "tests/http/service/running_service.hpp"

namespace test {

using Form = std::vector<std::pair<std::string, std::string>>;

class WebVisitor {
 public:
  explicit WebVisitor(const RunningService& service) : service_(service) {}

  Reply get(const std::string& path);
  /// As a browser sends a form of our own pages.
  Reply post(const std::string& path, const Form& form, const Headers& more = {});
  /// Signs up, opens the mail's link and presses its button.
  void join(const std::string& email, const std::string& password);
  /// A project at the sample region's n-th address, finished; its path.
  std::string project(std::size_t n, const std::string& name = "Haus");
  /// A key of this text, as the page shows it once.
  std::string key(const std::string& name = "Programm");

  std::string cookie() const { return cookie_; }
  void use_cookie(const std::string& cookie) { cookie_ = cookie; }

 private:
  Reply keep_cookie(Reply reply);

  const RunningService& service_;
  std::string cookie_;  ///< "sitzung=..."; empty: none
};

/// The path of the newest link that the service has mailed to somebody.
std::string mailed_path(const RunningService& service, const std::string& email);

}  // namespace test
