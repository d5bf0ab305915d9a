#include "http/asker.hpp"

#include "http/answers.hpp"
#include "http/errors.hpp"

namespace http {

AskerActor::AskerActor(caf::actor_config& config, std::shared_ptr<const Links> links,
                       std::chrono::seconds deadline, actors::MetersPtr meters)
    : Measured(config, "asker", std::move(meters)), links_(std::move(links)), deadline_(deadline) {}

AskerActor::behavior_type AskerActor::make_behavior() {
  return {[this](const QuestionPtr& question) { ask(question); }, [this](actors::sweep_atom) { sweep(); }};
}

void AskerActor::ask(const QuestionPtr& question) {
  const auto due = clock().now() + deadline_;
  const auto place = open_.insert(open_.end(), {question, due});
  if (!will_sweep_) sweep_at(due);
  request(question->guard, caf::infinite, std::move(question->call))
      .then(
          [this, question, place](const actors::Answer& answer) {
            if (question->answered) return;
            const bool visit = caf::holds_alternative<actors::Welcome>(answer.outcome);
            settle(question, place,
                   visit ? std::move(question->page)
                         : response_of(answer, {*links_, question->responder.request_id(),
                                                question->retry_at_least_s, question->page_limit}));
          },
          [this, question, place](const caf::error&) {
            if (!question->answered) settle(question, place, overloaded(*question));
          });
}

void AskerActor::settle(const QuestionPtr& question, Place place, Response response) {
  question->answered = true;
  question->responder.send(finished(std::move(response), question->rules));
  open_.erase(place);
}

Response AskerActor::overloaded(const Question& question) const {
  constexpr int kRetry_s = 10;
  return problem({.code = actors::Code::dienst_ueberlastet, .retry_after_s = kRetry_s}, *links_,
                 question.responder.request_id());
}

void AskerActor::sweep() {
  will_sweep_ = false;
  while (!open_.empty() && open_.front().due <= clock().now()) {
    const QuestionPtr question = open_.front().question;
    settle(question, open_.begin(), overloaded(*question));
  }
  if (!open_.empty()) sweep_at(open_.front().due);
}

void AskerActor::sweep_at(caf::actor_clock::time_point due) {
  will_sweep_ = true;
  delayed_send(caf::actor_cast<Asker>(this), due - clock().now(), actors::sweep_atom::value);
}

}  // namespace http
