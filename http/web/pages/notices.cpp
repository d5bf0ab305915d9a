#include "http/web/pages/notices.hpp"

#include <map>

namespace http {

std::string notice_of(const PageVisit& visit) {
  static const std::map<std::string_view, std::string_view> kNotices{
      {"willkommen", "Willkommen. Ihr Testkonto ist angelegt, und Sie sind angemeldet."},
      {"passwort", "Das neue Passwort gilt. Andere Geräte sind abgemeldet."},
      {"email", "Die neue E-Mail-Adresse gilt."},
      {"email_wartet",
       "An die neue Adresse ist ein Link unterwegs. Bis Sie ihn bestätigen, gilt die bisherige."},
      {"abgemeldet", "Das Gerät ist abgemeldet."},
      {"passkey", "Der Passkey ist angelegt. Beim nächsten Mal melden Sie sich ohne Passwort an."},
      {"passkey_entfernt",
       "Der Passkey gilt hier nicht mehr. Löschen Sie ihn auch auf dem Gerät, sonst bietet es ihn weiter "
       "an."},
      {"konto_geloescht", "Ihr Konto ist gelöscht."},
      {"widerrufen", "Der Schlüssel gilt nicht mehr."},
      {"gespeichert", "Gespeichert. Luftbild und 3D-Modell stehen jetzt bereit, hier und über die API."},
      {"umbenannt", "Das Projekt heißt jetzt anders."},
      {"geloescht", "Das Projekt ist gelöscht."},
  };
  const auto found = kNotices.find(visit.request.parameter("meldung").value_or(""));
  return found == kNotices.end() ? std::string() : std::string(found->second);
}

}  // namespace http
