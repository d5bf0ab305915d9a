// Why a request is refused, in the contract's codes. What a client reads for each stands in
// http/api/errors.cpp.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace actors {

enum class Code : std::uint8_t {
  schluessel_fehlt,
  schluessel_ungueltig,
  lastprofil_unbekannt,
  verbrauch_fehlt,
  adresse_zu_lang,
  adresse_nicht_gefunden,
  adresse_nicht_eindeutig,
  analyse_fehlt,
  testkontingent_erschoepft,
  modell_fehlt,
  orthofoto_fehlt,
  projekt_unbekannt,
  keine_belegten_flaechen,
  flaeche_unbekannt,
  bild_nicht_zeichenbar,
  format_nicht_moeglich,
  analyse_unlesbar,
  projekt_besteht_bereits,
  inhaltstyp_falsch,
  ratengrenze,
  dienst_ueberlastet,
  dienst_nicht_erreichbar,
  analyse_abgebrochen,
  kein_dach,
  analyse_fehlgeschlagen,
  interner_fehler,
  anfrage_ungueltig,
  pfad_unbekannt,
  methode_nicht_erlaubt,
  anfrage_zu_gross,
  anfrage_zu_langsam,
};
inline constexpr std::size_t kCodes = static_cast<std::size_t>(Code::anfrage_zu_langsam) + 1;

/// The code as the contract spells it, and back (interner_fehler for an unknown spelling).
const char* name_of(Code code);
Code code_of(const std::string& name);

/// A refusal with what the client needs to go on. Fields that a code does not use stay empty.
struct Refusal {
  Code code = Code::interner_fehler;
  std::string text;                ///< German; replaces the code's own sentence when it says more
  std::vector<std::string> found;  ///< adresse_nicht_eindeutig: spellings that resolve
  std::vector<int> existing;       ///< flaeche_unbekannt: the surfaces' numbers
  std::uint64_t project = 0;       ///< projekt_besteht_bereits, analyse_fehlt, failed runs: whose
  int retry_after_s = 0;           ///< 0: no Retry-After
};

}  // namespace actors
