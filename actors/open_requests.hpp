// The open requests of an actor. All have the same time-out, and one timer serves all of them: CAF sets and
// cancels its own time-out of a request in its clock's thread, which under load costs more than the answer.
#pragma once
#include <caf/actor_clock.hpp>
#include <caf/duration.hpp>
#include <caf/error.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>

namespace actors {

/// A member of the actor that asks.
class OpenRequests {
 public:
  using Time = caf::actor_clock::time_point;
  using Late = std::function<void()>;
  /// Makes the owner call sweep() after the given time.
  using Wake = std::function<void(Time::duration)>;

  OpenRequests(std::chrono::milliseconds patience, Wake wake) : patience_(patience), wake_(std::move(wake)) {}
  OpenRequests(const OpenRequests&) = delete;
  OpenRequests& operator=(const OpenRequests&) = delete;

  /// Sends the message. `then` gets the answer, an `Answer`; `late` is called when the receiver failed or did
  /// not answer in time. Exactly one of the two is called, once: an answer that comes too late is dropped.
  template <class Answer, class Owner, class To, class Then, class... Message>
  void ask(Owner& owner, const To& to, Then then, Late late, Message&&... message) {
    send<Answer>(
        owner, to,
        [then = std::move(then)](bool in_time, const Answer& answer) mutable {
          if (in_time) then(answer);
        },
        std::move(late), std::forward<Message>(message)...);
  }

  /// The same, but `then` gets the answer even after `late`, which then means only that the result is not
  /// known yet.
  template <class Answer, class Owner, class To, class Then, class... Message>
  void follow(Owner& owner, const To& to, Then then, Late late, Message&&... message) {
    send<Answer>(
        owner, to, [then = std::move(then)](bool, const Answer& answer) mutable { then(answer); },
        std::move(late), std::forward<Message>(message)...);
  }

  /// Calls `late` of the requests whose time is over.
  void sweep(Time now) {
    if (!wakes_at_ || now < *wakes_at_) return;
    wakes_at_.reset();
    while (!open_.empty() && open_.begin()->second.due <= now) give_up(open_.begin()->first);
    if (!open_.empty()) wake_at(open_.begin()->second.due, now);
  }

  /// Forgets all requests without calling anything: the owner has ended.
  void clear() { open_.clear(); }

 private:
  struct Open {
    Time due;
    Late late;
  };

  template <class Answer, class Owner, class To, class Hear, class... Message>
  void send(Owner& owner, const To& to, Hear hear, Late&& late, Message&&... message) {
    const std::uint64_t number = add(owner.clock().now(), std::move(late));
    owner.request(to, caf::infinite, std::forward<Message>(message)...)
        .then([this, number,
               hear = std::move(hear)](const Answer& answer) mutable { hear(settle(number), answer); },
              [this, number](const caf::error&) { give_up(number); });
  }
  std::uint64_t add(Time now, Late late) {
    open_.emplace_hint(open_.end(), ++last_, Open{now + patience_, std::move(late)});
    wake_at(now + patience_, now);
    return last_;
  }
  bool settle(std::uint64_t number) { return open_.erase(number) > 0; }
  void give_up(std::uint64_t number) {
    if (const auto open = open_.extract(number)) open.mapped().late();
  }
  void wake_at(Time due, Time now) {
    if (wakes_at_) return;
    wakes_at_ = due;
    wake_(due - now);
  }

  std::chrono::milliseconds patience_;
  Wake wake_;
  std::map<std::uint64_t, Open> open_;  // by number, which is also the order of the deadlines
  std::uint64_t last_ = 0;
  std::optional<Time> wakes_at_;
};

}  // namespace actors
