// The bodies that clients send.
#include "http/api/forms.hpp"
#include "http/api/schemas.hpp"

namespace http {

using namespace field;  // the table reads as one

std::vector<Schema> request_schemas() {
  return {
      {"ProjektAnlegen",
       "Ein neues Projekt. Alle Felder sind Pflicht; unbekannte Felder werden übergangen.",
       {
           text("name", "Name des Projekts", "Haus Muster").up_to(kNameMax).not_blank(),
           text("adresse", "Straße, Hausnummer, Postleitzahl und Ort", "Musterstraße 1, 1010 Wien")
               .up_to(kAddressMax)
               .not_blank(),
           number("jahresverbrauch_kwh", "Stromverbrauch eines Jahres in kWh", "4500")
               .more_than(0)
               .at_most(kConsumptionMax_kwh),
           load_profile("Kennung des Standardlastprofils, siehe /lastprofile"),
       }},
      {"AnalyseNeu",
       "Was sich gegenüber der letzten Anfrage ändert. Was fehlt, wird aus ihr übernommen.",
       {
           number("jahresverbrauch_kwh", "Stromverbrauch eines Jahres in kWh", "6000")
               .more_than(0)
               .at_most(kConsumptionMax_kwh)
               .optional(),
           load_profile("Kennung des Standardlastprofils, siehe /lastprofile").optional(),
       }},
  };
}

}  // namespace http
