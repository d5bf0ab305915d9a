// All renderers behind one address. This actor never draws: it hands orders to idle renderers and answers
// from its cache what was drawn lately. A renderer that dies fails its order and is replaced.
#pragma once
#include <caf/typed_event_based_actor.hpp>
#include <functional>
#include <map>
#include <vector>

#include "actors/measured.hpp"
#include "actors/messages.hpp"
#include "actors/options.hpp"
#include "actors/pictures/render_line.hpp"

namespace actors {

class RenderersActor : public Measured<Renderers::base> {
 public:
  /// `spawn` makes a renderer; it is called options.renderers times, and again whenever one has died.
  using Spawn = std::function<Renderer()>;
  RenderersActor(caf::actor_config& config, const ActorOptions& options, Spawn spawn,
                 MetersPtr meters = private_meters());
  const char* name() const override { return "renderers"; }

 private:
  behavior_type make_behavior() override;
  // Waiters hold promises, and promises hold this actor (as in runs/slot_scheduler.hpp).
  void on_exit() override;
  void ask(const RenderOrder& order, const RenderLine::Waiter& waiter);
  void hand_out();
  void over(const Renderer& renderer, const Rendered& rendered);
  Renderer spawn_one();
  void died(const caf::actor_addr& address);

  Spawn spawn_;
  ActorOptions options_;
  RenderLine line_;
  std::vector<Renderer> all_;
  std::vector<Renderer> idle_;
  std::map<caf::actor_addr, RenderOrder> at_work_;
};

}  // namespace actors
