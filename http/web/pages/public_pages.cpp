// The pages that anybody may see: the front page and the operator's texts.
#include "http/description/accuracy_figures.hpp"
#include "http/web/embedded_files.hpp"
#include "http/web/pages/example_roof.hpp"
#include "http/web/pages/page_data.hpp"
#include "http/web/pages/page_routes.hpp"
#include "http/web/pages/text_html.hpp"

namespace http {
namespace {

PageTask front_page(PageVisitPtr visit) {
  if (auto made = visit->made_before({})) co_return std::move(*made);
  Page page{.name = "start", .title = "Was Ihr Dach leisten kann"};
  page.summary =
      "Dachflächen, Module und Ertrag zu einer Adresse, aus amtlichen Höhendaten, mit Fehlerangabe.";
  add_example_roof(page.data);
  page.data.set("curl_zeile", "curl -H 'X-API-Key: dach_…' \\\n  '" + visit->site->links().base_url +
                                  "/analyse?adresse=Hauptplatz+1,+8010+Graz&jahresverbrauch_kwh=4500'");
  co_return visit->keep({}, visit->respond(std::move(page)));
}

Response text_page(const PageVisit& visit, const std::string& title, const std::string& text) {
  if (text.empty()) return visit.not_found();
  if (auto made = visit.made_before({})) return std::move(*made);
  Page page{.name = "text", .title = title};
  page.data.set("text_titel", title);
  page.data.set("text_html", html_of_text(text));
  return visit.keep({}, visit.respond(std::move(page)));
}

PageTask imprint(PageVisitPtr visit) { co_return text_page(*visit, "Impressum", visit->site->imprint()); }

PageTask privacy(PageVisitPtr visit) { co_return text_page(*visit, "Datenschutz", visit->site->privacy()); }

/// The libraries of the program, then the whole licences of those that browsers load.
std::string licence_texts() {
  std::string text;
  for (const char* name : {"THIRD_PARTY_NOTICES.md", "lizenzen.txt"})
    if (const EmbeddedFile* file = embedded_text(name)) text += *file->body + "\n";
  return text;
}

PageTask licences(PageVisitPtr visit) { co_return text_page(*visit, "Lizenzen", licence_texts()); }

}  // namespace

std::vector<PageRoute> public_page_routes() {
  return {{{.method = "GET", .path = "/"}, false, front_page},
          {{.method = "GET", .path = "/impressum"}, false, imprint},
          {{.method = "GET", .path = "/datenschutz"}, false, privacy},
          {{.method = "GET", .path = "/lizenzen"}, false, licences}};
}

}  // namespace http
