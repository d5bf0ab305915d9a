#include "http/asker.hpp"

#include "http/answers.hpp"
#include "http/errors.hpp"

namespace http {

AskerActor::AskerActor(caf::actor_config& config, std::shared_ptr<const Links> links,
                       std::chrono::seconds deadline, actors::MetersPtr meters)
    : Measured(config, "asker", std::move(meters)), links_(std::move(links)), deadline_(deadline) {}

AskerActor::behavior_type AskerActor::make_behavior() {
  return {[this](const QuestionPtr& question) {
    request(question->guard, deadline_, std::move(question->call))
        .then(
            [this, question](const actors::Answer& answer) {
              const bool visit = caf::holds_alternative<actors::Welcome>(answer.outcome);
              Response response =
                  visit ? std::move(question->page)
                        : response_of(answer, {*links_, question->responder.request_id(),
                                               question->retry_at_least_s, question->page_limit});
              question->responder.send(finished(std::move(response), question->rules));
            },
            [this, question](const caf::error&) {
              // Nobody answered in time: the service has more to do than it can.
              constexpr int kRetry_s = 10;
              Response response =
                  problem({.code = actors::Code::dienst_ueberlastet, .retry_after_s = kRetry_s}, *links_,
                          question->responder.request_id());
              question->responder.send(finished(std::move(response), question->rules));
            });
  }};
}

}  // namespace http
