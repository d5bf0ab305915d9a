#include "http/web/pages/page_data.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>

namespace http {
namespace {

std::string formatted(std::int64_t ms, const char* format) {
  const auto seconds = static_cast<std::time_t>(ms / 1000);
  std::tm local{};
  localtime_r(&seconds, &local);
  std::array<char, 64> text{};
  return {text.data(), std::strftime(text.data(), text.size(), format, &local)};
}

}  // namespace

TemplateData flag(bool on) {
  return TemplateData(on ? TemplateData::type::bool_true : TemplateData::type::bool_false);
}

TemplateData text_or_none(const std::string& text) { return text.empty() ? flag(false) : TemplateData(text); }

std::string german_date(std::int64_t ms) { return ms == 0 ? "nie" : formatted(ms, "%d.%m.%Y"); }

std::string german_time(std::int64_t ms) { return ms == 0 ? "nie" : formatted(ms, "%d.%m.%Y, %H:%M Uhr"); }

std::string german_wait(std::int64_t seconds) {
  constexpr std::int64_t kMinute = 60, kHour = 3600;
  const auto in = [](std::int64_t count, const char* one, const char* many) {
    return count == 1 ? std::string("in ") + one : "in " + std::to_string(count) + " " + many;
  };
  if (seconds < kMinute) return in(std::max<std::int64_t>(1, seconds), "einer Sekunde", "Sekunden");
  if (seconds < kHour) return in((seconds + kMinute - 1) / kMinute, "einer Minute", "Minuten");
  return in((seconds + kHour - 1) / kHour, "einer Stunde", "Stunden");
}

std::string sentence_of(const actors::MemberReply& reply) {
  switch (reply.fault) {
    case actors::MemberFault::none:
    case actors::MemberFault::unfit_password:
      return {};
    case actors::MemberFault::not_open:
      return "Zurzeit werden keine neuen Konten angelegt.";
    case actors::MemberFault::no_email:
      return "Das ist keine E-Mail-Adresse.";
    case actors::MemberFault::wrong:
      return "E-Mail und Passwort passen nicht zusammen.";
    case actors::MemberFault::dead_link:
      return "Dieser Link gilt nicht mehr.";
    case actors::MemberFault::unfit_passkey:
      return "Der Passkey wurde nicht angelegt: Das Gerät hat schon einen, oder es hat zu lange gedauert. "
             "Versuchen Sie es noch einmal.";
    case actors::MemberFault::too_many:
      return "Zu viele Versuche. Versuchen Sie es " + german_wait(reply.retry_after_s) + " wieder.";
    case actors::MemberFault::busy:
      return "Gerade ist viel los. Versuchen Sie es in ein paar Sekunden noch einmal.";
    case actors::MemberFault::disk:
      return "Wir konnten das nicht speichern. Es ist nichts geschehen; versuchen Sie es später noch einmal.";
    case actors::MemberFault::unknown_yet:
      return "Das Speichern dauert ungewöhnlich lange. Sehen Sie in einer Minute nach, ob es geklappt hat.";
  }
  return {};
}

std::string sentence_of(actors::PasswordFault fault) {
  switch (fault) {
    case actors::PasswordFault::too_short:
      return "Das Passwort braucht mindestens 12 Zeichen.";
    case actors::PasswordFault::too_long:
      return "Das Passwort ist zu lang.";
    case actors::PasswordFault::forbidden_character:
      return "Das Passwort enthält ein Zeichen, das nicht erlaubt ist.";
    case actors::PasswordFault::common:
      return "Dieses Passwort wird sehr oft benutzt und als erstes geraten. Nehmen Sie ein anderes.";
    case actors::PasswordFault::is_email:
      return "Das Passwort darf nicht Ihre E-Mail-Adresse sein.";
    case actors::PasswordFault::simple_pattern:
      return "Das Passwort ist ein einfaches Muster. Nehmen Sie ein anderes.";
  }
  return {};
}

std::int64_t page_now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace http
