// How CAF's actors of two processes meet over a socket that is there already. CAF calls a process a node, and
// its actor for the wire the BASP broker; publish() and remote_actor() of CAF's own make sockets, of which
// secure_port.hpp says why they are not used.
#pragma once
#include <caf/actor_system_config.hpp>
#include <caf/fwd.hpp>
#include <string>
#include <tl/expected.hpp>

#include "actors/messages.hpp"

namespace actors {

/// Loads CAF's middleman and sets it as both sides need it. Before the actor system is made. CAF 0.17.6 takes
/// a silent node for alive unless told otherwise, and another program's bytes for messages.
void prepare_node(caf::actor_system_config& config);

/// The home's side: what comes over the socket may ask `home`, and nobody else. Takes the descriptor.
void admit(caf::actor_system& system, int descriptor, const WorkersPool& home);

/// The worker's side: the home behind the socket. Takes the descriptor. The error is a sentence.
tl::expected<WorkersHome, std::string> home_behind(caf::actor_system& system, int descriptor);

}  // namespace actors
