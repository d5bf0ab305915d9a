#include "http/api/field_checks.hpp"

#include <algorithm>

#include "http/api/forms.hpp"
#include "http/api/load_profiles.hpp"

namespace http {
namespace {

/// Code points; continuation bytes do not count. The text is valid UTF-8.
std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// Control characters other than white space: NUL above all.
bool has_controls(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7f;
  });
}

}  // namespace

bool blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

tl::unexpected<actors::Refusal> refused(actors::Code code, std::string text) {
  return tl::make_unexpected(actors::Refusal{.code = code, .text = std::move(text)});
}
tl::unexpected<actors::Refusal> invalid(std::string text) {
  return refused(actors::Code::anfrage_ungueltig, std::move(text));
}

Read<std::string> checked_name(std::string_view name) {
  if (blank(name)) return invalid("Das Feld name ist leer.");
  if (has_controls(name)) return invalid("Das Feld name enthält Steuerzeichen.");
  if (characters(name) > kNameMax)
    return invalid("Das Feld name ist länger als " + std::to_string(kNameMax) + " Zeichen.");
  return std::string(name);
}

Read<std::string> checked_address(std::string_view address) {
  if (blank(address)) return invalid("Das Feld adresse ist leer.");
  if (has_controls(address)) return invalid("Das Feld adresse enthält Steuerzeichen.");
  if (characters(address) > kAddressMax) return refused(actors::Code::adresse_zu_lang);
  return std::string(address);
}

Read<double> checked_consumption(double kwh) {
  if (!(kwh > 0 && kwh <= kConsumptionMax_kwh)) return refused(actors::Code::verbrauch_fehlt);
  return kwh;
}

Read<std::string> checked_profile(std::string_view code) {
  if (!known_load_profile(code)) return refused(actors::Code::lastprofil_unbekannt);
  return std::string(code);
}

}  // namespace http
