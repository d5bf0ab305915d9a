#include "http/api/asker.hpp"

#include "http/api/answers.hpp"
#include "http/api/errors.hpp"

namespace http {

AskerActor::AskerActor(caf::actor_config& config, std::shared_ptr<const Links> links,
                       std::chrono::seconds deadline, actors::MetersPtr meters)
    : Measured(config, "asker", std::move(meters)),
      links_(std::move(links)),
      open_(deadline, [this](auto delay) {
        delayed_send(caf::actor_cast<Asker>(this), delay, actors::late_atom::value);
      }) {}

AskerActor::behavior_type AskerActor::make_behavior() {
  return {[this](const QuestionPtr& question) { ask(question); },
          [this](actors::late_atom) { open_.sweep(clock().now()); }};
}

void AskerActor::ask(const QuestionPtr& question) {
  open_.ask<actors::Answer>(
      *this, question->guard,
      [this, question](const actors::Answer& answer) { respond(*question, response_to(*question, answer)); },
      [this, question] { respond(*question, overloaded(*question)); }, std::move(question->call));
}

void AskerActor::respond(Question& question, Response response) {
  question.responder.send(finished(std::move(response), question.rules));
}

Response AskerActor::response_to(const Question& question, const actors::Answer& answer) const {
  if (caf::holds_alternative<actors::Welcome>(answer.outcome)) return question.page;
  return response_of(
      answer, {*links_, question.responder.request_id(), question.retry_at_least_s, question.page_limit});
}

Response AskerActor::overloaded(const Question& question) const {
  constexpr int kRetry_s = 10;
  return problem({.code = actors::Code::dienst_ueberlastet, .retry_after_s = kRetry_s}, *links_,
                 question.responder.request_id());
}

}  // namespace http
