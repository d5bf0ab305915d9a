// A page is written as one function from the top to the bottom, although it waits for actors in between: a
// coroutine that runs in the actor that began it. PageTask is what such a function returns.
#pragma once
#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

#include "http/wire/response.hpp"

namespace http {

/// Starts when it is awaited, and then goes on in whoever awaits it. Owns the function's frame.
template <class Result>
class Task {
 public:
  struct promise_type {
    std::optional<Result> result;
    std::exception_ptr error;
    std::coroutine_handle<> awaiting;

    Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    struct Back {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> done) noexcept {
        return done.promise().awaiting;
      }
      void await_resume() noexcept {}
    };
    Back final_suspend() noexcept { return {}; }
    void return_value(Result value) { result = std::move(value); }
    void unhandled_exception() { error = std::current_exception(); }
  };

  Task(Task&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
  Task& operator=(Task&&) = delete;
  ~Task() {
    if (frame_) frame_.destroy();
  }

  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiting) {
    frame_.promise().awaiting = awaiting;
    return frame_;
  }
  Result await_resume() {
    if (frame_.promise().error) std::rethrow_exception(frame_.promise().error);
    return std::move(*frame_.promise().result);
  }

 private:
  explicit Task(std::coroutine_handle<promise_type> frame) : frame_(frame) {}
  std::coroutine_handle<promise_type> frame_;
};

using PageTask = Task<Response>;

/// A coroutine that nobody awaits. It begins at once, and its frame goes when it ends.
struct Detached {
  struct promise_type {
    Detached get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> frame;
};

}  // namespace http
