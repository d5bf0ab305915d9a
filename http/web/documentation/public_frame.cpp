#include "http/web/documentation/public_frame.hpp"

#include "http/web/embedded_files.hpp"
#include "http/web/pages/page_data.hpp"

namespace http {
namespace {

/// Our own style, script and mark, and nothing else.
constexpr auto kPublicPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action "
    "'none'; frame-ancestors 'none'";

void set_frame(PublicPage& page, const PageContext& context) {
  TemplateData& data = page.data;
  data.set("titel", page.title);
  data.set("beschreibung", page.summary);
  data.set("fuer_alle", flag(true));
  data.set("anwendung_url", context.links.web_url);
  data.set("doku_url", context.links.documentation());
  data.set("anleitung_url", context.links.guide());
  for (const char* current : {"doku", "anleitung"})
    data.set(std::string("seite_") + current, flag(page.name == current));
  data.set("stil_url", file_address("roof.css"));
  data.set("skript_url", text_or_none(file_address("seite.js")));
  data.set("impressum_da", flag(context.has_imprint));
  data.set("datenschutz_da", flag(context.has_privacy));
  for (const char* of_a_visit :
       {"angemeldet", "registrierung_offen", "meldung_gut", "meldung_schlecht", "auffrischen_s",
        "seite_projekte", "seite_schluessel", "seite_verbrauch", "seite_konto"})
    data.set(of_a_visit, flag(false));
  data.set("email", std::string());
}

}  // namespace

Response framed(PublicPage page, const PageContext& context) {
  set_frame(page, context);
  Response response{.status = 200, .content_type = "text/html; charset=utf-8"};
  response.body = Template(template_texts(), page.name, "layout").render(page.data);
  return response.with("Content-Security-Policy", kPublicPolicy);
}

}  // namespace http
