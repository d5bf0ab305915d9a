// Tries the homes' addresses in turn. Detached: it waits for the network.
#pragma once
#include <caf/typed_event_based_actor.hpp>
#include <memory>
#include <vector>

#include "actors/measured.hpp"
#include "actors/messages.hpp"
#include "actors/workers/secure_port.hpp"

namespace actors {

class HomeFinderActor : public Measured<HomeFinder::base> {
 public:
  HomeFinderActor(caf::actor_config& config, std::vector<SecurePortOptions> homes, MutualTlsPtr tls,
                  MetersPtr meters = private_meters());
  const char* name() const override { return "home-finder"; }

 private:
  behavior_type make_behavior() override;
  void on_exit() override { link_.reset(); }
  tl::expected<WorkersHome, std::string> try_next();

  std::vector<SecurePortOptions> homes_;
  MutualTlsPtr tls_;
  std::size_t next_ = 0;
  std::unique_ptr<SecureLink> link_;  // at most one
};

}  // namespace actors
