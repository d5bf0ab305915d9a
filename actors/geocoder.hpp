// Turns an address text into a house, by whatever means it is given: the register or a service outside.
#pragma once
#include <caf/typed_event_based_actor.hpp>
#include <functional>
#include <optional>

#include "actors/clock.hpp"
#include "actors/measured.hpp"
#include "actors/messages.hpp"

namespace actors {

using Locate = std::function<Located(const std::string& address)>;
/// What can be said of an address within microseconds, from any thread; nothing: a geocoder must be asked.
using LookUp = std::function<std::optional<Located>(const std::string& address)>;

/// Spawn it detached: `locate` may block.
class GeocoderActor : public Measured<Geocoder::base> {
 public:
  GeocoderActor(caf::actor_config& config, Locate locate, Clock clock, MetersPtr meters = private_meters())
      : Measured(config, "geocoder", std::move(meters)),
        locate_(std::move(locate)),
        clock_(std::move(clock)) {}
  const char* name() const override { return "geocoder"; }

 private:
  behavior_type make_behavior() override {
    return {[this](const std::string& address, std::int64_t deadline_ms) {
      // Behind a slow service a line gathers whose askers have left; looking them up would keep it long.
      if (clock_() > deadline_ms)
        return Located{.kind = Located::Kind::overloaded, .reason = "its turn came too late"};
      return located(address);
    }};
  }
  // An address on which the geocoder fails must not take every later one along.
  Located located(const std::string& address) const {
    try {
      return locate_(address);
    } catch (const std::exception& error) {
      return {.kind = Located::Kind::unreachable, .reason = error.what()};
    }
  }
  Locate locate_;
  Clock clock_;
};

}  // namespace actors
