#include "http/wire/responder.hpp"

#include <utility>

#include "http/wire/outbox.hpp"

namespace http {

Responder::Responder(std::shared_ptr<Outbox> outbox, std::weak_ptr<Wire> wire, std::uint64_t number,
                     std::string request_id, std::shared_ptr<Rules> rules)
    : outbox_(std::move(outbox)),
      wire_(std::move(wire)),
      number_(number),
      exchange_{.id = std::move(request_id)},
      rules_(std::move(rules)) {
  ++rules_->under_way;
}

std::shared_ptr<Outbox> unconnected_outbox() { return std::make_shared<Outbox>(); }

Responder::~Responder() {
  if (outbox_) send(rules_->on_silence(exchange_.id));
}

void Responder::send(Response response) {
  if (!outbox_) return;
  --rules_->under_way;
  if (rules_->on_answered) rules_->on_answered(exchange_, response);
  response.with("X-Request-Id", exchange_.id);
  std::exchange(outbox_, nullptr)->push({wire_, number_, std::move(response)});
}

}  // namespace http
