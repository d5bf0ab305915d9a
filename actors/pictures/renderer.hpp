// One thread that draws. It reads a result and its scene from the store and calls geo/drawing, or it reads a
// saved file. Spawn it detached.
#pragma once
#include <caf/typed_event_based_actor.hpp>
#include <functional>

#include "actors/measured.hpp"
#include "actors/messages.hpp"
#include "geo/drawing/scene.hpp"
#include "geo/roof_analysis.hpp"
#include "persistence/store.hpp"

namespace actors {

/// The drawing itself: draw_medium in the program, something shorter in tests.
using Draw = std::function<Rendered(const RenderOrder&, const geo::RoofAnalysis&, const geo::PropertyScene&)>;

/// Any medium of an analysis. Fails with bild_nicht_zeichenbar, format_nicht_moeglich (the SVG was drawn but
/// not its PNG), or orthofoto_fehlt where no aerial image shows the property.
Rendered draw_medium(const RenderOrder& order, const geo::RoofAnalysis& analysis,
                     const geo::PropertyScene& scene);

/// A text with its tag, as answers carry it.
Rendered rendered_text(std::string text);
inline Rendered not_rendered(Code code, std::string reason = {}) {
  return {.ok = false, .code = code, .body = {}, .reason = std::move(reason)};
}

class RendererActor : public Measured<Renderer::base> {
 public:
  /// `before_work` runs once, in the renderer's own thread. `store` must outlive it.
  RendererActor(caf::actor_config& config, const persistence::Store& store, Draw draw,
                std::function<void()> before_work, MetersPtr meters = private_meters());
  const char* name() const override { return "renderer"; }

 private:
  behavior_type make_behavior() override;
  Rendered bring(const RenderOrder& order);
  Rendered saved_file(const RenderOrder& order) const;
  Rendered drawn(const RenderOrder& order) const;

  const persistence::Store& store_;
  Draw draw_;
  std::function<void()> before_work_;
};

}  // namespace actors
