#include "actors/refusal.hpp"

#include <algorithm>
#include <array>

namespace actors {
namespace {

constexpr std::array<const char*, kCodes> kNames = {"schluessel_fehlt",          "schluessel_ungueltig",
                                                    "lastprofil_unbekannt",      "verbrauch_fehlt",
                                                    "adresse_zu_lang",           "adresse_nicht_gefunden",
                                                    "adresse_nicht_eindeutig",   "analyse_fehlt",
                                                    "testkontingent_erschoepft", "modell_fehlt",
                                                    "orthofoto_fehlt",           "projekt_unbekannt",
                                                    "keine_belegten_flaechen",   "flaeche_unbekannt",
                                                    "bild_nicht_zeichenbar",     "format_nicht_moeglich",
                                                    "analyse_unlesbar",          "projekt_besteht_bereits",
                                                    "inhaltstyp_falsch",         "ratengrenze",
                                                    "dienst_ueberlastet",        "dienst_nicht_erreichbar",
                                                    "analyse_abgebrochen",       "kein_dach",
                                                    "analyse_fehlgeschlagen",    "interner_fehler",
                                                    "anfrage_ungueltig",         "pfad_unbekannt",
                                                    "methode_nicht_erlaubt",     "anfrage_zu_gross",
                                                    "anfrage_zu_langsam"};

}  // namespace

const char* name_of(Code code) { return kNames[static_cast<std::size_t>(code)]; }

Code code_of(const std::string& name) {
  const auto* const it = std::find(kNames.begin(), kNames.end(), name);
  return it == kNames.end() ? Code::interner_fehler : static_cast<Code>(it - kNames.begin());
}

}  // namespace actors
