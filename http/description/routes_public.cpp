// The endpoints that need no key.
#include "http/api/routes.hpp"
#include "http/description/pages.hpp"

namespace http {

std::vector<Route> public_routes() {
  return {
      {.method = "GET",
       .path = "/lastprofile",
       .id = "lastprofile",
       .summary = "Lastprofile",
       .about = "Die Standardlastprofile mit Kennung und Bezeichnung.",
       .successes = {{200, "Die Lastprofile.", "Lastprofile", {}}},
       .page = load_profiles_page},
      {.method = "GET",
       .path = "/openapi.json",
       .id = "openapi",
       .summary = "Beschreibung für Maschinen",
       .about = "Diese Schnittstelle als OpenAPI 3.1.0.",
       .successes = {{200, "Die Beschreibung.", {}, {"application/json"}}},
       .page = openapi_page},
      {.method = "GET",
       .path = "/doku",
       .id = "doku",
       .summary = "Dokumentation",
       .about = "Jeder Endpunkt, jedes Feld, jeder Fehler, als Seite zum Lesen.",
       .successes = {{200, "Die Seite.", {}, {"text/html"}}},
       .page = documentation_page},
      {.method = "GET",
       .path = "/anleitung",
       .id = "anleitung",
       .summary = "Anleitung",
       .about = "Vom ersten Schlüssel zum fertigen Ergebnis, für Menschen und für Agenten.",
       .successes = {{200, "Die Seite.", {}, {"text/html"}}},
       .page = guide_page},
  };
}

}  // namespace http
