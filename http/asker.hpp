// The few long-lived actors that ask on behalf of HTTP requests: they hold the responder while the answer is
// under way, so that no reactor thread ever waits.
#pragma once
#include <caf/actor_clock.hpp>
#include <caf/actor_system.hpp>
#include <caf/typed_actor.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <chrono>
#include <list>
#include <memory>
#include <string>

#include "actors/measured.hpp"
#include "actors/messages.hpp"
#include "http/links.hpp"
#include "http/reply_rules.hpp"
#include "http/server.hpp"

namespace http {

/// A request on its way. Stays in this process.
struct Question {
  actors::Call call;
  actors::AddressGuard guard;
  Responder responder;
  int retry_at_least_s = 0;
  int page_limit = 0;
  ReplyRules rules;
  Response page;  ///< the answer to a visit
  bool answered = false;
};
using QuestionPtr = std::shared_ptr<Question>;

}  // namespace http
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(http::QuestionPtr)

namespace http {

/// sweep_atom is the asker's own: questions may be overdue.
using Asker = caf::typed_actor<caf::reacts_to<QuestionPtr>, caf::reacts_to<actors::sweep_atom>>;

/// Keeps the deadline of all its questions with one timer: CAF's own time-out of a request is set and taken
/// back in a thread of its clock, which under load costs more than the answer.
class AskerActor : public actors::Measured<Asker::base> {
 public:
  AskerActor(caf::actor_config& config, std::shared_ptr<const Links> links, std::chrono::seconds deadline,
             actors::MetersPtr meters = actors::private_meters());
  const char* name() const override { return "asker"; }

 private:
  struct Open {
    QuestionPtr question;
    caf::actor_clock::time_point due;
  };
  using Place = std::list<Open>::iterator;

  behavior_type make_behavior() override;
  void ask(const QuestionPtr& question);
  /// The first answer counts; one that comes after the deadline finds nobody waiting.
  void settle(const QuestionPtr& question, Place place, Response response);
  /// Nobody answered in time: the service has more to do than it can.
  Response overloaded(const Question& question) const;
  void sweep();
  void sweep_at(caf::actor_clock::time_point due);

  std::shared_ptr<const Links> links_;
  std::chrono::seconds deadline_;
  std::list<Open> open_;  // the oldest first: all have the same deadline
  bool will_sweep_ = false;
};

}  // namespace http
