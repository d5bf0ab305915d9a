// Carries answers from any thread to the reactor thread that owns the connection.
#pragma once
#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "http/wire/response.hpp"

namespace http {

struct Wire;

/// Other threads put answers in; the reactor thread that owns the connections takes them out. Only that
/// thread knows whether a connection still lives, so no answer can reach a descriptor's next owner.
class Outbox {
 public:
  struct Reply {
    std::weak_ptr<Wire> wire;
    std::uint64_t number = 0;
    Response response;
  };

  Outbox() : event_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}
  ~Outbox() { ::close(event_); }
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  int event() const { return event_; }

  void push(Reply reply) {
    const std::lock_guard guard(mutex_);
    if (replies_.empty()) {
      const std::uint64_t one = 1;
      [[maybe_unused]] const auto written = ::write(event_, &one, sizeof one);
    }
    replies_.push_back(std::move(reply));
  }

  /// Makes the reactor thread look around although there is no answer.
  void wake() { push({}); }

  std::vector<Reply> take() {
    const std::lock_guard guard(mutex_);
    std::uint64_t count = 0;
    [[maybe_unused]] const auto got = ::read(event_, &count, sizeof count);
    return std::exchange(replies_, {});
  }

 private:
  int event_;
  std::mutex mutex_;
  std::vector<Reply> replies_;
};

}  // namespace http
