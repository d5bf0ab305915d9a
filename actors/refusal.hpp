// Why a request is refused, in the contract's codes. http/api/errors.cpp has the text that a client reads for
// each.
#pragma once
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

namespace actors {

/// Every code, as the contract spells it.
// clang-format off
#define ROOF_CODES(CODE) \
  CODE(schluessel_fehlt) CODE(schluessel_ungueltig) CODE(lastprofil_unbekannt) CODE(verbrauch_fehlt) \
  CODE(adresse_zu_lang) CODE(adresse_nicht_gefunden) CODE(adresse_nicht_eindeutig) CODE(analyse_fehlt) \
  CODE(testkontingent_erschoepft) CODE(modell_fehlt) CODE(orthofoto_fehlt) CODE(projekt_unbekannt) \
  CODE(keine_belegten_flaechen) CODE(flaeche_unbekannt) CODE(bild_nicht_zeichenbar) \
  CODE(format_nicht_moeglich) CODE(analyse_unlesbar) CODE(projekt_besteht_bereits) \
  CODE(inhaltstyp_falsch) CODE(ratengrenze) CODE(dienst_ueberlastet) CODE(dienst_nicht_erreichbar) \
  CODE(analyse_abgebrochen) CODE(kein_dach) CODE(analyse_fehlgeschlagen) CODE(interner_fehler) \
  CODE(anfrage_ungueltig) CODE(pfad_unbekannt) CODE(methode_nicht_erlaubt) CODE(anfrage_zu_gross) \
  CODE(anfrage_zu_langsam)
// clang-format on

enum class Code : std::uint8_t {
#define ROOF_CODE(name) name,
  ROOF_CODES(ROOF_CODE)
#undef ROOF_CODE
};
#define ROOF_CODE(name) Code::name,
inline constexpr std::size_t kCodes = std::size({ROOF_CODES(ROOF_CODE)});
#undef ROOF_CODE

/// The code as the contract spells it, and back (interner_fehler for an unknown spelling).
const char* name_of(Code code);
Code code_of(const std::string& name);

/// A refusal with what the client needs to go on. Fields that a code does not use are empty.
struct Refusal {
  Code code = Code::interner_fehler;
  std::string text;                ///< German; for codes whose sentence may be replaced (http/api/errors.cpp)
  std::string advice;              ///< German: the next step, where it is another than the code's usual one
  std::vector<std::string> found;  ///< adresse_nicht_eindeutig: spellings that resolve
  std::vector<int> existing;       ///< flaeche_unbekannt: the surfaces' numbers
  std::uint64_t project = 0;  ///< the project, for projekt_besteht_bereits, analyse_fehlt and failed runs
  int retry_after_s = 0;      ///< 0: no Retry-After
};

/// When a request that found the disk or the line full may come again.
inline constexpr int kBusyRetry_s = 60;

/// The disk has not answered in time. `open_question`, German: what is not known yet, as "ob die Analyse neu
/// startet".
Refusal late_disk(const std::string& open_question, std::uint64_t project = 0);

}  // namespace actors
