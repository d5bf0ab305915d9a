// How an operator learns whether the journal has stored an order.
#pragma once
#include <caf/typed_response_promise.hpp>
#include <memory>
#include <utility>

#include "actors/messages.hpp"
#include "actors/open_requests.hpp"

namespace actors {

/// `then` is called when the journal answers, with whether the writes are on disk, and returns the reply.
/// When the journal is late, the operator is told that the result is not known yet, and the reply of `then`
/// is dropped.
template <class Owner, class Then>
caf::typed_response_promise<AdminReply> carry_out(Owner& owner, OpenRequests& open, const Journal& journal,
                                                  persistence::Writes writes, Then then) {
  const auto promise = std::make_shared<caf::typed_response_promise<AdminReply>>(
      owner.template make_response_promise<AdminReply>());
  const auto tell = [promise](AdminReply reply) {
    if (promise->pending()) promise->deliver(std::move(reply));
  };
  open.follow<bool>(
      owner, journal, [tell, then = std::move(then)](bool on_disk) mutable { tell(then(on_disk)); },
      [tell] {
        tell({false,
              "the disk has not answered in time; whether it was done is not known yet, look again "
              "later"});
      },
      std::move(writes));
  return *promise;
}

}  // namespace actors
