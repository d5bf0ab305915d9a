#include "actors/workers/node.hpp"

#include <algorithm>
#include <caf/actor_system.hpp>
#include <caf/io/basp_broker.hpp>
#include <caf/io/middleman.hpp>
#include <caf/io/network/default_multiplexer.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>
#include <set>
#include <vector>

#include "actors/workers/worker_facts.hpp"

namespace actors {
namespace {

constexpr std::uint16_t kAnyPort = 1;  // only a name: the port is not CAF's

caf::actor broker_of(caf::actor_system& system) {
  return system.middleman().named_broker<caf::io::basp_broker>(caf::atom("BASP"));
}

caf::io::scribe_ptr scribe_of(caf::actor_system& system, int descriptor) {
  return static_cast<caf::io::network::default_multiplexer&>(system.middleman().backend())
      .new_scribe(descriptor);
}

}  // namespace

void prepare_node(caf::actor_system_config& config) {
  config.load<caf::io::middleman>();
  config.set("middleman.heartbeat-interval", caf::timespan(kBeat));
  config.set("middleman.connection-timeout", caf::timespan(kSilence));
  config.set("middleman.app-identifiers", std::vector<std::string>{"roofd/" + protocol_digest()});
}

void admit(caf::actor_system& system, int descriptor, const WorkersPool& home) {
  caf::anon_send(broker_of(system), caf::publish_atom::value, scribe_of(system, descriptor), kAnyPort,
                 caf::actor_cast<caf::strong_actor_ptr>(home), system.message_types(home));
}

tl::expected<WorkersHome, std::string> home_behind(caf::actor_system& system, int descriptor) {
  tl::expected<WorkersHome, std::string> home = tl::make_unexpected(std::string("it says nothing"));
  caf::scoped_actor self(system);
  self->request(broker_of(system), kSilence, caf::connect_atom::value, scribe_of(system, descriptor),
                kAnyPort)
      .receive(
          [&](const caf::node_id&, const caf::strong_actor_ptr& actor, const std::set<std::string>& offered) {
            const auto needed = system.message_types(caf::detail::type_list<WorkersHome>());
            if (actor && std::includes(offered.begin(), offered.end(), needed.begin(), needed.end()))
              home = caf::actor_cast<WorkersHome>(actor);
            else
              home = tl::make_unexpected(std::string("it takes no workers"));
          },
          [&](const caf::error& error) {
            home = tl::make_unexpected(
                error == caf::sec::incompatible_application_ids
                    ? std::string("it is another version of roofd: install the same package on both")
                    : system.render(error));
          });
  return home;
}

}  // namespace actors
