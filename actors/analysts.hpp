// The computing side of a run. Each job gets a detached actor, because GDAL and the geometry block. This
// actor gives them one address and monitors the workers, so that it notices when one dies.
#pragma once
#include <caf/typed_event_based_actor.hpp>
#include <chrono>
#include <functional>
#include <map>
#include <memory>

#include "actors/measured.hpp"
#include "actors/messages.hpp"
#include "geo/property_analysis.hpp"

namespace actors {

/// The computation itself; geo::analyse_property in the program, something shorter in tests.
using Compute = std::function<geo::Result<geo::PropertyAnalysis>(const AnalysisJob&, const geo::StepListener&,
                                                                 const geo::RunControl&)>;

class AnalystsActor : public Measured<Analysts::base> {
 public:
  AnalystsActor(caf::actor_config& config, Compute compute, MetersPtr meters = private_meters());
  const char* name() const override { return "analysts"; }
  // The shards hold this actor and it holds them (as in slot_scheduler.hpp): it lets go of them.
  void on_exit() override { at_work_.clear(); }

 private:
  behavior_type make_behavior() override;
  void start(const AnalysisJob& job, const Projects& owner);
  void ended(const caf::actor_addr& worker);

  struct Work {
    RunRef ref;
    Projects owner;
    std::shared_ptr<geo::RunControl> control;
    std::chrono::steady_clock::time_point started;  // steady, because the time of day may jump
  };
  Compute compute_;
  std::map<caf::actor_addr, Work> at_work_;
};

}  // namespace actors
