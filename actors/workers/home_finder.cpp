#include "actors/workers/home_finder.hpp"

#include "actors/workers/node.hpp"

namespace actors {

HomeFinderActor::HomeFinderActor(caf::actor_config& config, std::vector<SecurePortOptions> homes,
                                 MutualTlsPtr tls, MetersPtr meters)
    : Measured(config, "home-finder", std::move(meters)), homes_(std::move(homes)), tls_(std::move(tls)) {}

HomeFinderActor::behavior_type HomeFinderActor::make_behavior() {
  return {[this](next_atom) -> caf::result<WorkersHome, std::string> {
    std::string faults;
    for (std::size_t i = 0; i < homes_.size(); ++i) {
      auto home = try_next();
      if (home) return {*home, std::string()};
      faults += (faults.empty() ? "" : "; ") + home.error();
    }
    return {WorkersHome(), faults};
  }};
}

/// The earlier link ends here, also when it still works.
tl::expected<WorkersHome, std::string> HomeFinderActor::try_next() {
  const SecurePortOptions& place = homes_[next_++ % homes_.size()];
  link_.reset();
  auto link = SecureLink::connect(place, tls_);
  if (!link) return tl::make_unexpected(link.error());
  auto home = home_behind(system(), (*link)->take_descriptor());
  if (!home) return tl::make_unexpected(place.host + ":" + std::to_string(place.port) + ": " + home.error());
  link_ = std::move(*link);
  return home;
}

}  // namespace actors
