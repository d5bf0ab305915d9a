// CAF's test scheduler: messages and time go on when the test says so.
#pragma once
#include <caf/actor_system_config.hpp>

#include "actors/messages.hpp"

namespace test {

struct TestingConfig : caf::actor_system_config {
  TestingConfig() {
    set("scheduler.policy", caf::atom("testing"));
    add_message_types<caf::id_block::roof>();
  }
};

}  // namespace test
