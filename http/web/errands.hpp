// Work of a page that takes long: one thread does it, so that neither other pages nor the API wait for it.
#pragma once
#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/typed_actor.hpp>
#include <caf/typed_behavior.hpp>
#include <exception>
#include <functional>
#include <memory>

namespace http {

struct Errand {
  std::function<void()> work;
  std::exception_ptr fault = {};  ///< what the work threw
};
using ErrandPtr = std::shared_ptr<Errand>;

}  // namespace http
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(http::ErrandPtr)

namespace http {

/// Answers when the work is done, with the same errand.
using Errands = caf::typed_actor<caf::replies_to<ErrandPtr>::with<ErrandPtr>>;

/// To be spawned detached.
Errands::behavior_type errands_behavior();

}  // namespace http
