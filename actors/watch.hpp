// The long-lived actors end when they are told to. If one ends otherwise, all that only it held is lost:
// slots, addresses, requests. Nothing outside could restore that. So the program prints which actor it was
// and why, and ends. It is then restarted, and all that was acknowledged is on disk.
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

/// Prints "roofd: " and the sentence on stderr and ends with exit code 70 (EX_SOFTWARE), on which systemd
/// restarts the program.
[[noreturn]] void end_with(const std::string& sentence);
/// The same for an actor that has died.
[[noreturn]] void end_program(const std::string& actor, const std::string& why);

void watch_actor(caf::abstract_actor& actor, const OnDeath& on_death);

/// `actor` is any handle.
template <class Handle>
void watch(const Handle& actor, const OnDeath& on_death) {
  watch_actor(*caf::actor_cast<caf::abstract_actor*>(actor), on_death);
}

}  // namespace actors
