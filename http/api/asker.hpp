// The few long-lived actors that ask the other actors on behalf of HTTP requests. They hold the responder
// until the answer comes, so that no reactor thread ever waits.
#pragma once
#include <caf/actor_system.hpp>
#include <caf/typed_actor.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <chrono>
#include <memory>
#include <string>

#include "actors/measured.hpp"
#include "actors/messages.hpp"
#include "actors/open_requests.hpp"
#include "http/api/links.hpp"
#include "http/api/reply_rules.hpp"
#include "http/wire/server.hpp"

namespace http {

/// A request on its way to its answer. Stays in this process.
struct Question {
  actors::Call call;
  actors::AddressGuard guard;
  Responder responder;
  int retry_at_least_s = 0;
  int page_limit = 0;
  ReplyRules rules;
  Response page;  ///< the answer to a visit
};
using QuestionPtr = std::shared_ptr<Question>;

}  // namespace http
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(http::QuestionPtr)

namespace http {

/// late_atom: from itself, questions may be overdue.
using Asker = caf::typed_actor<caf::reacts_to<QuestionPtr>, caf::reacts_to<actors::late_atom>>;

class AskerActor : public actors::Measured<Asker::base> {
 public:
  AskerActor(caf::actor_config& config, std::shared_ptr<const Links> links, std::chrono::seconds deadline,
             actors::MetersPtr meters = actors::private_meters());
  const char* name() const override { return "asker"; }

 private:
  behavior_type make_behavior() override;
  void on_exit() override { open_.clear(); }
  void ask(const QuestionPtr& question);
  static void respond(Question& question, Response response);
  Response response_to(const Question& question, const actors::Answer& answer) const;
  /// For a question that nobody answered in time: the service is overloaded.
  Response overloaded(const Question& question) const;

  std::shared_ptr<const Links> links_;
  actors::OpenRequests open_;
};

}  // namespace http
