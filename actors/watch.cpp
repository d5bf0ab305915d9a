#include "actors/watch.hpp"

#include <sysexits.h>

#include <caf/actor_system.hpp>
#include <caf/exit_reason.hpp>
#include <caf/local_actor.hpp>
#include <cstdlib>
#include <iostream>

namespace actors {

void end_with(const std::string& sentence) {
  std::cerr << "roofd: " + sentence + "\n" << std::flush;
  std::_Exit(EX_SOFTWARE);
}

void end_program(const std::string& actor, const std::string& why) {
  end_with("the actor \"" + actor + "\" has ended unexpectedly (" + why +
           "); the program ends, so that it is started anew");
}

void watch_actor(caf::abstract_actor& actor, const OnDeath& on_death) {
  const std::string name = dynamic_cast<caf::local_actor&>(actor).name();
  actor.attach_functor([name, on_death, &system = actor.home_system()](const caf::error& reason) {
    // It was told to end, or nobody holds it any more.
    if (reason == caf::exit_reason::user_shutdown || reason == caf::exit_reason::unreachable) return;
    on_death(name, system.render(reason));
  });
}

}  // namespace actors
