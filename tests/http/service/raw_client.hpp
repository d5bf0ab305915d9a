// A client that sends whatever bytes it likes and hears what comes back; for requests that no library would
// send. Every answer it hears is held against what holds for all answers (description_check.hpp).
#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/http/service/running_service.hpp"

namespace test {

class RawClient {
 public:
  explicit RawClient(std::uint16_t port, const std::string& from = "127.0.0.1");
  ~RawClient();
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  bool connected() const { return fd_ >= 0; }
  /// False when the other end takes no more.
  bool send(std::string_view bytes);
  /// Closes its own half: the other end may still answer.
  void say_no_more();
  /// Closes without a word of goodbye: the other end gets a reset.
  void hang_up();

  struct Heard {
    std::vector<Reply> replies;
    std::vector<int> statuses;
    bool closed = false;  ///< by the other end, in time
    std::string rest;     ///< bytes that are not a whole answer
  };
  /// Hears until the other end closes, `most` answers have come or `patience` is over. `heads`: the numbers
  /// of the answers to HEAD among them.
  Heard hear(std::size_t most = SIZE_MAX, std::chrono::milliseconds patience = std::chrono::seconds(20),
             const std::vector<std::size_t>& heads = {});

 private:
  int fd_ = -1;
  std::string bytes_;
};

}  // namespace test
