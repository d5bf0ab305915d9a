#include "geo/sample_region/place_names.hpp"

namespace geo::sample {

const PlaceNames* place_names_for(const std::string& crs) {
  static const std::vector<PlaceNames> places = {
      {"EPSG:25832",
       "DE",
       "86987",
       "Lerchenmoos",
       {"Lindenstraße", "Am Mühlbach", "Schloßgasse", "Birkenweg", "Höhenweg", "Kirchstraße", "Gänsbühl",
        "Ährenweg", "Große Gasse", "Jägersteig", "Wiesenstraße", "Am Weiher"},
       {11.0732, 48.1946},
       548},
      {"EPSG:3035",
       "AT",
       "2599",
       "Moosbrunn am Föhrenberg",
       {"Wiener Straße", "Föhrengasse", "Am Hügel", "Weingartengasse", "Dr.-Karl-Renner-Straße", "Mühlgasse",
        "Kirchengasse", "Schloßallee", "Grünangergasse", "Bäckersteig", "Obere Hauptstraße",
        "Kreuzäckergasse"},
       {16.2417, 48.0163},
       262},
      {"EPSG:2056",
       "CH",
       "8998",
       "Oberwilen am Bühl",
       {"Dorfstrasse", "Bühlweg", "Im Grüt", "Hinterdorfstrasse", "Rebhaldenweg", "Bachtobelstrasse",
        "Mülistrasse", "Chilegass", "Höhenstrasse", "Sägeweg", "Obere Weid", "Räbacherweg"},
       {8.8651, 47.4329},
       521},
  };
  for (const PlaceNames& place : places)
    if (place.crs == crs) return &place;
  return nullptr;
}

}  // namespace geo::sample
