#include "actors/sign_in/mail_texts.hpp"

namespace actors {
namespace {

MailWords letter(std::string subject, const std::string& body) {
  return {std::move(subject), "Guten Tag,\n\n" + body + "\n\nIhre Dachanalyse\n"};
}

}  // namespace

MailWords words_to_confirm(const std::string& link) {
  return letter("Bitte bestätigen Sie Ihre E-Mail-Adresse",
                "mit dieser E-Mail-Adresse wurde ein Konto bei der Dachanalyse angefragt. Öffnen Sie diese "
                "Seite und geben Sie Ihr Passwort noch einmal ein, dann ist Ihr Testkonto angelegt:\n\n" +
                    link +
                    "\n\nDer Link gilt 24 Stunden. Haben Sie kein Konto angefragt, brauchen Sie nichts zu "
                    "tun: Ohne das Passwort entsteht keines.");
}

MailWords words_account_exists(const std::string& sign_in_link, const std::string& password_link) {
  return letter("Sie haben bereits ein Konto",
                "mit dieser E-Mail-Adresse wurde ein Konto bei der Dachanalyse angefragt. Es gibt aber schon "
                "eines. Hier melden Sie sich an:\n\n" +
                    sign_in_link + "\n\nUnd hier setzen Sie ein neues Passwort:\n\n" + password_link +
                    "\n\nHaben Sie nichts angefragt, brauchen Sie nichts zu tun.");
}

MailWords words_new_password(const std::string& link) {
  return letter("Neues Passwort",
                "hier setzen Sie ein neues Passwort für Ihr Konto bei der Dachanalyse:\n\n" + link +
                    "\n\nDer Link gilt eine Stunde. Danach sind alle Geräte abgemeldet. Haben Sie das nicht "
                    "angefragt, brauchen Sie nichts zu tun: Ihr Passwort bleibt, wie es ist.");
}

MailWords words_password_changed(const std::string& password_link, const std::string& account_link) {
  return letter("Ihr Passwort wurde geändert",
                "das Passwort Ihres Kontos bei der Dachanalyse wurde gerade geändert. Andere Geräte sind "
                "abgemeldet. Waren Sie das nicht, setzen Sie hier sofort ein neues:\n\n" +
                    password_link +
                    "\n\nPasskeys und API-Schlüssel gelten weiter. Kannte jemand anderes Ihr Passwort, sehen "
                    "Sie nach, ob alle von Ihnen sind:\n\n" +
                    account_link);
}

MailWords words_confirm_new_email(const std::string& link) {
  return letter(
      "Bitte bestätigen Sie Ihre neue E-Mail-Adresse",
      "Ihr Konto bei der Dachanalyse soll diese E-Mail-Adresse bekommen. Öffnen Sie diese Seite und "
      "drücken Sie den Knopf darauf:\n\n" +
          link +
          "\n\nDer Link gilt 24 Stunden. Haben Sie das nicht angefragt, brauchen Sie nichts "
          "zu tun.");
}

MailWords words_email_changes(const std::string& new_email) {
  return letter(
      "Ihre E-Mail-Adresse soll geändert werden",
      "Ihr Konto bei der Dachanalyse soll die E-Mail-Adresse " + new_email +
          " bekommen. Waren Sie das nicht, ändern Sie bitte sofort Ihr Passwort. Dann bleibt es bei "
          "Ihrer Adresse.");
}

MailWords words_email_changed(const std::string& new_email) {
  return letter("Ihre E-Mail-Adresse wurde geändert",
                "Ihr Konto bei der Dachanalyse hat jetzt die E-Mail-Adresse " + new_email +
                    ". Mit dieser Adresse hier können Sie sich nicht mehr anmelden. Waren Sie das nicht, "
                    "wenden Sie sich bitte sofort an den Betreiber.");
}

MailWords words_passkey_added(const std::string& name, const std::string& account_link) {
  return letter("Ein Passkey wurde angelegt",
                "für Ihr Konto bei der Dachanalyse wurde gerade der Passkey „" + name +
                    "“ angelegt. Wer das Gerät hat, meldet sich damit ohne Passwort an. Waren Sie das nicht, "
                    "entfernen Sie ihn hier und ändern Sie Ihr Passwort:\n\n" +
                    account_link);
}

MailWords words_account_closed() {
  return letter("Ihr Konto ist gelöscht",
                "Ihr Konto bei der Dachanalyse ist geschlossen, Ihre Schlüssel gelten nicht mehr. Projekte, "
                "Ergebnisse und Bilder werden jetzt gelöscht. In Sicherungskopien des Betreibers können sie "
                "noch enthalten sein, bis diese überschrieben werden.");
}

}  // namespace actors
