// Turns an address text into a house, by whatever means it is given (the register; later a service).
#pragma once
#include <caf/typed_event_based_actor.hpp>
#include <functional>

#include "actors/measured.hpp"
#include "actors/messages.hpp"

namespace actors {

using Locate = std::function<Located(const std::string& address)>;

/// Spawn it detached: `locate` may block.
class GeocoderActor : public Measured<Geocoder::base> {
 public:
  GeocoderActor(caf::actor_config& config, Locate locate, MetersPtr meters = private_meters())
      : Measured(config, "geocoder", std::move(meters)), locate_(std::move(locate)) {}
  const char* name() const override { return "geocoder"; }

 private:
  behavior_type make_behavior() override {
    return {[this](const std::string& address) { return located(address); }};
  }
  // An address on which the geocoder fails must not take every later one along.
  Located located(const std::string& address) const {
    try {
      return locate_(address);
    } catch (const std::exception&) {
      return {.kind = Located::Kind::unreachable};
    }
  }
  Locate locate_;
};

}  // namespace actors
