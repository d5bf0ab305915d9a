#include "actors/pictures/renderer.hpp"

#include "actors/projects/failure_lines.hpp"
#include "geo/drawing/scene_bytes.hpp"
#include "persistence/keys.hpp"
#include "persistence/result_codec.hpp"

namespace actors {

using persistence::FileKind;
using persistence::Table;

Rendered rendered_text(std::string text) {
  const std::uint64_t tag = std::hash<std::string>()(text);
  return {.ok = true, .body = {std::make_shared<const std::string>(std::move(text)), tag}};
}

RendererActor::RendererActor(caf::actor_config& config, const persistence::Store& store, Draw draw,
                             std::function<void()> before_work, MetersPtr meters)
    : Measured(config, "renderer", std::move(meters)),
      store_(store),
      draw_(std::move(draw)),
      before_work_(std::move(before_work)) {}

RendererActor::behavior_type RendererActor::make_behavior() {
  before_work_();
  return {[this](const RenderOrder& order) { return bring(order); }};
}

/// An exception from a library ends this order and not the renderer.
Rendered RendererActor::bring(const RenderOrder& order) {
  const auto tell = [&](Code code, std::string_view reason) {
    tell_failed_request(meters().log(), "picture not drawn", {{}, order.account, order.project}, code,
                        reason);
  };
  try {
    const bool file = order.kind == MediaKind::model || order.kind == MediaKind::orthophoto;
    Rendered rendered = file && !order.anew ? saved_file(order) : drawn(order);
    if (!rendered.reason.empty()) tell(rendered.code, rendered.reason);
    return rendered;
  } catch (const std::exception& error) {
    tell(Code::interner_fehler, error.what());
    return not_rendered(Code::interner_fehler);
  }
}

Rendered RendererActor::saved_file(const RenderOrder& order) const {
  const bool model = order.kind == MediaKind::model;
  const auto bytes = store_.get(
      Table::files,
      persistence::file_key(order.account, order.project, model ? FileKind::model : FileKind::orthophoto));
  if (!bytes) return not_rendered(Code::interner_fehler, "what was saved cannot be read");
  if (!*bytes) return not_rendered(model ? Code::modell_fehlt : Code::orthofoto_fehlt);
  return rendered_text(**bytes);
}

Rendered RendererActor::drawn(const RenderOrder& order) const {
  const std::string key = persistence::project_key(order.account, order.project);
  const auto result = store_.get(Table::results, key);
  if (result && !*result) return not_rendered(Code::analyse_fehlt);  // it expired while the order waited
  const auto analysis = result ? persistence::decode_result(**result) : std::nullopt;
  if (!analysis) return not_rendered(Code::analyse_unlesbar);
  const auto bytes = store_.get(Table::scenes, key);
  if (!bytes || !*bytes) return not_rendered(Code::bild_nicht_zeichenbar);
  const auto scene = geo::scene_from_bytes(**bytes);
  if (!scene) return not_rendered(Code::bild_nicht_zeichenbar);
  return draw_(order, *analysis, *scene);
}

}  // namespace actors
