#include "http/web/economics/tariffs.hpp"

#include <algorithm>
#include <iterator>

namespace http {
namespace {

constexpr double kAnySize_kwp = 1e9;
constexpr const char* kGermanSource =
    "Sätze nach EEG § 48 und § 53, veröffentlicht von der Bremischen Volksbank (Stand 1.8.2025)";
constexpr const char* kGermanDerived =
    "fortgeschrieben aus den Sätzen vom 1.8.2025 mit −1 % je Halbjahr (EEG § 49), nicht veröffentlicht; "
    "für 2027 ist ein neues Gesetz angekündigt";
constexpr const char* kSwissSource = "Veröffentlichungen von EW Wartau und Enercom für 2026";

/// Hundredths of the currency for each kWh.
geo::FeedInTariff german(double to_10, double to_40, double to_100, double share = 1) {
  return {.classes = {{10, share * to_10 / 100}, {40, share * to_40 / 100}, {100, share * to_100 / 100}}};
}

geo::FeedInTariff one_rate(double hundredths, double up_to_kwp = kAnySize_kwp) {
  return {.classes = {{up_to_kwp, hundredths / 100}}};
}

/// At least 6 Rp. below 30 kW, from there 180 Rp. divided by the power in kW.
geo::FeedInTariff swiss_minimum() {
  geo::FeedInTariff tariff = one_rate(6.0, 150);
  tariff.most_rate_times_kwp = 1.8;
  return tariff;
}

const std::vector<TariffPreset>& all_presets() {
  constexpr double kTwoHalfYears = 0.99 * 0.99;
  static const std::vector<TariffPreset> presets{
      {"de_teil_2026_08", "DE", "Teileinspeisung", "Inbetriebnahme 1.8.2026 bis 31.1.2027", kGermanDerived,
       false, german(7.87, 6.81, 6.56, kTwoHalfYears)},
      {"de_voll_2026_08", "DE", "Volleinspeisung", "Inbetriebnahme 1.8.2026 bis 31.1.2027", kGermanDerived,
       true, german(12.47, 10.45, 10.45, kTwoHalfYears)},
      {"de_teil_2025_08", "DE", "Teileinspeisung", "Inbetriebnahme 1.8.2025 bis 31.1.2026", kGermanSource,
       false, german(7.87, 6.81, 6.56)},
      {"de_voll_2025_08", "DE", "Volleinspeisung", "Inbetriebnahme 1.8.2025 bis 31.1.2026", kGermanSource,
       true, german(12.47, 10.45, 10.45)},
      {"at_oemag_2025", "AT", "OeMAG-Marktpreis", "Mitte 2025", "OeMAG, Marktpreis, monatlich neu", false,
       one_rate(5.97)},
      {"at_oemag_2024_04", "AT", "OeMAG-Marktpreis", "April 2024", "OeMAG, Marktpreis, monatlich neu", false,
       one_rate(4.66)},
      {"at_oemag_2024_01", "AT", "OeMAG-Marktpreis", "Jänner 2024", "OeMAG, Marktpreis, monatlich neu", false,
       one_rate(8.14)},
      {"ch_minimum_2026", "CH", "Mindestvergütung mit Eigenverbrauch", "ab 2026",
       std::string(kSwissSource) + "; darüber gilt der Referenzmarktpreis des Quartals", false,
       swiss_minimum()},
      {"ch_voll_2026", "CH", "Mindestvergütung ohne Eigenverbrauch", "ab 2026",
       std::string(kSwissSource) + "; darüber gilt der Referenzmarktpreis des Quartals", true,
       one_rate(6.2, 150)}};
  return presets;
}

}  // namespace

std::vector<TariffPreset> tariff_presets(std::string_view country) {
  std::vector<TariffPreset> own;
  std::copy_if(all_presets().begin(), all_presets().end(), std::back_inserter(own),
               [&](const TariffPreset& preset) { return preset.country == country; });
  return own;
}

Currency currency_of(std::string_view country) {
  return country == "CH" ? Currency{"CHF", "Rp."} : Currency{"EUR", "ct"};
}

}  // namespace http
