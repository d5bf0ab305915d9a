// Turns an address text into a house, with the register or with an external service.
#pragma once
#include <caf/send.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <functional>
#include <optional>

#include "actors/clock.hpp"
#include "actors/fair_line.hpp"
#include "actors/measured.hpp"
#include "actors/messages.hpp"
#include "geo/addresses/pieces.hpp"

namespace actors {

using Locate = std::function<Located(const std::string& address)>;
/// What can be said of an address within microseconds, from any thread. Nothing: ask a geocoder.
using LookUp = std::function<std::optional<Located>(const geo::AddressText& address)>;

/// Spawn it detached: `locate` may block. All questions in the mailbox join the line before the next one is
/// looked up, so that an account with many questions does not delay a single one of another account.
class GeocoderActor : public Measured<Geocoder::base> {
 public:
  GeocoderActor(caf::actor_config& config, Locate locate, Clock clock, MetersPtr meters = private_meters())
      : Measured(config, "geocoder", std::move(meters)),
        locate_(std::move(locate)),
        clock_(std::move(clock)) {}
  const char* name() const override { return "geocoder"; }
  // A promise holds its asker, and the asker holds the geocoders.
  void on_exit() override { line_.clear(); }

 private:
  using Promise = caf::typed_response_promise<Located>;
  struct Question {
    std::string address;
    std::int64_t deadline_ms;
    Promise promise;
  };

  behavior_type make_behavior() override {
    return {[this](const std::string& address, std::int64_t deadline_ms,
                   std::uint64_t account) -> caf::result<Located> {
              auto promise = make_response_promise<Located>();
              if (line_.empty()) call_next();
              line_.add(account, {address, deadline_ms, promise});
              return promise;
            },
            [this](next_atom) {
              auto question = line_.next();
              if (!question) return;
              question->promise.deliver(answer(*question));
              if (!line_.empty()) call_next();
            }};
  }
  void call_next() { caf::anon_send(caf::actor_cast<Geocoder>(this), next_atom::value); }

  // With a slow service the line fills with questions whose askers have left. They are not looked up.
  Located answer(const Question& question) const {
    if (clock_() > question.deadline_ms)
      return {.kind = Located::Kind::overloaded, .reason = "its turn came too late"};
    return located(question.address);
  }
  // An address that makes the geocoder throw must not stop it for all later ones.
  Located located(const std::string& address) const {
    try {
      return locate_(address);
    } catch (const std::exception& error) {
      return {.kind = Located::Kind::unreachable, .reason = error.what()};
    }
  }
  Locate locate_;
  Clock clock_;
  FairLine<Question> line_;
};

}  // namespace actors
