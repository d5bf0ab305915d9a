// A chromedriver of the test program's own with one headless Chromium, spoken to by W3C WebDriver over
// libcurl. Both end with this object, and also when the program is killed: the kernel then ends chromedriver,
// and Chromium ends when its pipe to it closes.
#pragma once
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace test {

/// What the WebDriver standard calls an error, `code` for example "no such element".
struct WebDriverError : std::runtime_error {
  WebDriverError(std::string error, const std::string& message)
      : std::runtime_error(message), code(std::move(error)) {}
  std::string code;
};

class WebDriver {
 public:
  /// The thread that makes it must outlive it. Throws std::runtime_error when a program is missing.
  WebDriver();
  ~WebDriver();
  /// Chromium takes seconds to start. One that a test has left is as good as new: a single empty tab, no
  /// cookie, nothing stored or cached.
  static std::unique_ptr<WebDriver> idle_or_new();
  static void leave_to_the_next(std::unique_ptr<WebDriver> driver);
  WebDriver(const WebDriver&) = delete;
  WebDriver& operator=(const WebDriver&) = delete;

  /// A command of the session: `path` below /session/{id}; its value. Throws WebDriverError.
  nlohmann::json get(const std::string& path);
  nlohmann::json post(const std::string& path, const nlohmann::json& body = nlohmann::json::object());
  nlohmann::json remove(const std::string& path);
  /// A command of Chromium's DevTools protocol.
  nlohmann::json devtools(const std::string& command, const nlohmann::json& parameters);

 private:
  struct Curl {
    void operator()(void* handle) const;
  };

  void start_driver();
  void await_driver();
  void start_session();
  void forget_everything();
  nlohmann::json request(const char* method, const std::string& path, const std::string& body);

  std::string folder_;
  std::unique_ptr<void, Curl> curl_;
  int pid_ = 0, maker_ = 0;  ///< processes: chromedriver, and the test's that started it
  std::uint16_t port_ = 0;
  std::string session_;  ///< its path; empty: there is none
};

}  // namespace test
