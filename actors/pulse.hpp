// Whether the actors still work on their messages. Each is sent a beat now and then, which it answers when
// its turn comes, before it looks at what the message is (measured.hpp). One that hangs, or whose thread
// never gets to it, does not answer. An actor that ends is another matter: watch.hpp.
#pragma once
#include <atomic>
#include <caf/actor.hpp>
#include <caf/allowed_unsafe_message_type.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace actors {

/// Answered by any actor that is Measured.
class Beat {
 public:
  void answer() { answered_ = true; }
  bool answered() const { return answered_; }

 private:
  std::atomic<bool> answered_{false};
};
using BeatPtr = std::shared_ptr<Beat>;

/// Thread-safe.
class Pulse {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Now = std::function<Time()>;
  explicit Pulse(std::vector<caf::actor> actors, Now now = std::chrono::steady_clock::now);

  /// Sends a beat to every actor that has answered the last one.
  void beat();

  struct Late {
    std::string actor;
    std::chrono::milliseconds time{};
  };
  /// The actor whose answer has been awaited longest, and for how long; nothing when all have answered.
  std::optional<Late> latest() const;

  /// Lets go of the actors.
  void stop();

 private:
  struct Watched {
    caf::actor actor;
    BeatPtr beat;  // null: none was sent yet
    Time sent;
  };
  mutable std::mutex mutex_;
  std::vector<Watched> watched_;
  Now now_;
};

}  // namespace actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(actors::BeatPtr)
