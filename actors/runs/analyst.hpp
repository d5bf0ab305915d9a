// One thread that computes, one run after the other. It lives as long as the program, so that the data sets
// which a run has opened are open for the next one (geo/data/kept_open.hpp). Spawn it detached.
#pragma once
#include <caf/typed_event_based_actor.hpp>
#include <functional>

#include "actors/measured.hpp"
#include "actors/messages.hpp"
#include "geo/property_analysis.hpp"

namespace actors {

/// The computation itself; geo::analyse_property in the program, something shorter in tests.
using Compute = std::function<geo::Result<geo::PropertyAnalysis>(const AnalysisJob&, const geo::StepListener&,
                                                                 const geo::RunControl&)>;

class AnalystActor : public Measured<Analyst::base> {
 public:
  /// `before_work` runs once, in the analyst's own thread.
  AnalystActor(caf::actor_config& config, Compute compute, std::function<void()> before_work,
               MetersPtr meters = private_meters());
  const char* name() const override { return "analyst"; }

 private:
  behavior_type make_behavior() override;
  void on_exit() override;
  RunOutcome outcome_of(const AnalysisJob& job, const RunOwner& owner, const geo::RunControl& control);

  Compute compute_;
  std::function<void()> before_work_;
};

}  // namespace actors
