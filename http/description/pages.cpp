#include "http/description/pages.hpp"

#include "http/api/json.hpp"
#include "http/api/load_profiles.hpp"

namespace http {

Response load_profiles_page(const PageContext&) {
  Json json;
  json.begin_object().key("profile").begin_array();
  for (const LoadProfile& profile : kLoadProfiles)
    json.begin_object().field("kennung", profile.code).field("bezeichnung", profile.name).end_object();
  json.end_array().field("vorgabe", kDefaultLoadProfile);
  json.field("hinweis",
             "Das Lastprofil wird mit dem Projekt gespeichert; die Auswahl der Flächen richtet sich nach "
             "dem Jahresverbrauch.");
  json.end_object();
  return {.status = 200, .body = json.str()};
}

}  // namespace http
