// The long-lived actors end when they are told to. One that ends otherwise takes along what only it held:
// slots, addresses, requests. Nobody could mend that from outside, so the program says which it was and why,
// and ends; it is started anew, and what was acknowledged is on disk.
#pragma once
#include <caf/actor_cast.hpp>
#include <functional>
#include <string>

namespace caf {
class abstract_actor;
}

namespace actors {

/// Called in the thread of an actor that has ended unexpectedly.
using OnDeath = std::function<void(const std::string& actor, const std::string& why)>;

/// One line on stderr, then the end with exit code 70 (EX_SOFTWARE), which has systemd start it anew.
[[noreturn]] void end_program(const std::string& actor, const std::string& why);

void watch_actor(caf::abstract_actor& actor, const OnDeath& on_death);

/// `actor` is any handle.
template <class Handle>
void watch(const Handle& actor, const OnDeath& on_death) {
  watch_actor(*caf::actor_cast<caf::abstract_actor*>(actor), on_death);
}

}  // namespace actors
