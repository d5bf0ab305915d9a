#include "http/web/errands.hpp"

#include <caf/typed_event_based_actor.hpp>

namespace http {

Errands::behavior_type errands_behavior() {
  return {[](const ErrandPtr& errand) {
    try {
      errand->work();
    } catch (...) {
      errand->fault = std::current_exception();
    }
    return errand;
  }};
}

}  // namespace http
