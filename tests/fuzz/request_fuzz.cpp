// Bytes from the network to a command or an answer, as the service does it, without sockets and actors.
// Whatever comes in, what comes out is the same however the bytes were cut into packets, and every refusal is
// a JSON document.
#include <rapidjson/document.h>

#include <cstdlib>

#include "http/api/errors.hpp"
#include "http/api/reception.hpp"
#include "http/api/reply_rules.hpp"
#include "http/wire/connection.hpp"

namespace {

const http::PageContext kContext{{"https://dach.example/api/v1", "https://app.example"}, {}};

void require(bool holds) {
  if (!holds) std::abort();
}

void require_problem(const http::Response& response) {
  rapidjson::Document document;
  document.Parse(response.text().data(), response.text().size());
  require(!document.HasParseError() && document["fehler"]["code"].IsString() &&
          document["status"] == response.status);
}

/// Everything that a client's bytes led to, as text.
struct Outcome {
  std::string requests;
  std::size_t faults = 0;
  std::string sent;
};

const http::Reception& reception() {
  static const http::Reception kReception(kContext, "https://karte.example");
  return kReception;
}

http::Response respond(const http::Request& request) {
  const http::Routed routed = http::Reception::route(request);
  const bool keyed = routed.route && routed.route->keyed();
  const http::ReplyRules rules = http::rules_of(request, keyed, reception().cors());
  if (auto answer = reception().answer(request, routed)) {
    if (answer->status >= 400) require_problem(*answer);
    return http::finished(std::move(*answer), rules);
  }
  if (!keyed) return http::finished(reception().page(*routed.route), rules);
  const actors::Command command = routed.route->command(request, routed.parameters);
  const auto* refusal = caf::get_if<actors::Refusal>(&command);
  http::Response response = http::problem(refusal ? *refusal : actors::Refusal{}, kContext.links, request.id);
  require_problem(response);
  return http::finished(std::move(response), rules);
}

std::string text_of(const http::Request& request) {
  std::string text = request.method + " " + request.path + " " + (request.well_formed ? "" : "(broken) ");
  for (const auto& [name, value] : request.query) text += name + "=" + value + "&";
  for (const auto& [name, value] : request.headers) text += "\n" + name + ": " + value;
  return text + "\n\n" + request.body + "\n----\n";
}

Outcome feed(std::string_view bytes, std::size_t packet) {
  Outcome outcome;
  http::Connection* answering = nullptr;
  const auto now = http::Connection::Time();
  http::Connection connection(
      "192.0.2.7", {.header_bytes = 2048, .body_bytes = 1024},
      [&](http::Request&& request, std::uint64_t number) {
        outcome.requests += text_of(request);
        answering->answer(number, respond(request), now);
      },
      [&](http::WireFault, const std::string& id) {
        ++outcome.faults;
        return reception().failure(actors::Code::anfrage_ungueltig, id);
      });
  answering = &connection;
  for (std::size_t at = 0; at < bytes.size(); at += packet) connection.receive(bytes.substr(at, packet), now);
  require(!connection.busy());  // every request was answered
  outcome.sent = connection.output();
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // With an end, so that a fault in a header is seen whenever the parser looks for it.
  const std::string bytes = std::string(reinterpret_cast<const char*>(data), size) + "\r\n\r\n";
  const Outcome whole = feed(bytes, bytes.size());
  const Outcome cut = feed(bytes, 7);
  require(whole.requests == cut.requests);
  require(whole.faults == cut.faults && whole.faults <= 1);
  return 0;
}
