// Calls geo/drawing for an order, and turns its failures into the contract's codes.
#include "actors/pictures/renderer.hpp"
#include "geo/drawing/orthophoto_image.hpp"
#include "geo/drawing/picture_metadata.hpp"
#include "geo/drawing/picture_png.hpp"
#include "geo/drawing/pictures.hpp"
#include "geo/drawing/roof_model.hpp"

namespace actors {
namespace {

Rendered text_or(const geo::Result<std::string>& text, Code otherwise) {
  if (text) return rendered_text(*text);
  // The client is told only that there is nothing to draw; the log gets the internal reason.
  return not_rendered(otherwise,
                      text.error().kind == geo::FailureKind::internal ? text.error().text : std::string());
}

Rendered picture(const RenderOrder& order, const geo::RoofAnalysis& analysis,
                 const geo::PropertyScene& scene) {
  const bool overview = order.kind == MediaKind::overview_image;
  const auto svg = overview ? geo::draw_overview_svg(analysis, scene, order.width_px)
                            : geo::draw_surface_svg(analysis, order.surface, scene, order.width_px);
  if (!svg || !order.png) return text_or(svg, Code::bild_nicht_zeichenbar);
  const auto metadata = overview ? geo::overview_metadata(analysis, scene)
                                 : geo::surface_metadata(analysis, order.surface, scene);
  if (!metadata) return not_rendered(Code::bild_nicht_zeichenbar);
  return text_or(geo::svg_to_png(*svg, order.width_px, *metadata), Code::format_nicht_moeglich);
}

}  // namespace

Rendered draw_medium(const RenderOrder& order, const geo::RoofAnalysis& analysis,
                     const geo::PropertyScene& scene) {
  switch (order.kind) {
    case MediaKind::model:
      return text_or(geo::write_model_glb(analysis, scene), Code::bild_nicht_zeichenbar);
    case MediaKind::orthophoto:
      if (scene.background.kind != geo::BackgroundKind::orthophoto)
        return not_rendered(Code::orthofoto_fehlt);
      return text_or(geo::orthophoto_image(scene, geo::OrthophotoFormat::jpeg), Code::bild_nicht_zeichenbar);
    case MediaKind::surface_image:
    case MediaKind::overview_image:
      return picture(order, analysis, scene);
    case MediaKind::listing:
      break;
  }
  return not_rendered(Code::interner_fehler);
}

}  // namespace actors
