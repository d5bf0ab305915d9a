#include "http/web/economics/tariffs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "geo/drawing/german_text.hpp"

namespace http {
namespace {

using namespace std::chrono_literals;
using Values = std::array<double, 5>;  // up to 10, 40, 100, 400 and 1000 kWp

constexpr double kAnySize_kwp = 1e9;
// EEG 2023, section 48 (2) and (2a), cents for each kWh.
constexpr Values kPartlyFedIn{8.6, 7.5, 6.2, 6.2, 6.2}, kFullyFedIn{13.4, 11.3, 11.3, 9.4, 8.1};
constexpr int kGermanYears = 20;  // section 25 (1)
constexpr const char* kGermanSource =
    "EEG 2023 §§ 48, 49 und 53: −1 % je Halbjahr seit dem 1.2.2024, abzüglich 0,4 ct; bis Februar 2026 wie "
    "veröffentlicht";
constexpr const char* kGermanRemark =
    "Nicht eingerechnet: Bei negativen Börsenpreisen wird für neue Anlagen nichts bezahlt, und ohne "
    "Steuerung dürfen sie nur mit 60 % ihrer Leistung einspeisen.";
constexpr const char* kMarketed =
    "Über 100 kWp ist die Direktvermarktung Pflicht: Gerechnet wird mit den Werten des EEG, abzüglich 0,4 ct "
    "für die Vermarktung (Annahme).";
constexpr const char* kTendered = "Über 750 kWp entscheidet eine Ausschreibung über den Satz.";
constexpr const char* kSwissSource =
    "EnV Art. 12 Abs. 1bis; Veröffentlichungen von EW Wartau und Enercom für 2026";
constexpr const char* kNoMinimum =
    "Ab 150 kW gibt es keine Mindestvergütung, sondern den Referenzmarktpreis des Quartals: Gerechnet wird "
    "mit der Regel für kleinere Anlagen. Tragen Sie den Preis Ihres Netzbetreibers als eigene Angabe ein.";
constexpr const char* kAustrianRemark =
    "Der Marktpreis ändert sich jeden Monat; gerechnet wird in allen Jahren mit diesem.";
constexpr const char* kAustrianSource = "OeMAG, Marktpreis, monatlich neu";

/// What is paid for a plant that begins in the half-year from the 1st of August or February on. `half_years`
/// since the first reduction, on 1 February 2024, counted as 1. Values are rounded to hundredths of a cent,
/// the next ones are made of those before rounding (section 49); 0.4 cents are taken off them (section 53).
geo::FeedInTariff german(const Values& values, int half_years) {
  const auto paid = [&](double value) {
    return (std::round(100 * value * std::pow(0.99, half_years)) / 100 - 0.4) / 100;
  };
  constexpr Values kUpTo_kwp{10, 40, 100, 400, 1000};
  geo::FeedInTariff tariff;
  for (std::size_t i = 0; i < values.size(); ++i) tariff.classes.push_back({kUpTo_kwp[i], paid(values[i])});
  return tariff;
}

/// Partly and fully fed in, of the half-year with this number (german()).
std::array<TariffPreset, 2> of_half_year(int half_years) {
  const std::chrono::year year{2024 + (half_years - 1) / 2};
  const bool august = half_years % 2 == 0;
  const auto first = august ? year / 8 / 1 : year / 2 / 1;
  const auto last = august ? (year + std::chrono::years(1)) / 1 / 31 : year / 7 / 31;
  const std::string number = std::to_string(static_cast<int>(year)) + (august ? "_08" : "_02");
  const auto preset = [&](std::string id, std::string name, bool full, const Values& values) {
    return TariffPreset{
        .id = std::move(id) + number,
        .country = "DE",
        .name = std::move(name),
        .period = "Inbetriebnahme " + geo::german_day(first) + " bis " + geo::german_day(last),
        .source = kGermanSource,
        .full_feed_in = full,
        .tariff = german(values, half_years),
        .first_day = first,
        .last_day = last,
        .paid_years = kGermanYears,
        .remark = kGermanRemark,
        .beyond = {{100, kMarketed}, {750, kTendered}}};
  };
  return {preset("de_teil_", "Teileinspeisung", false, kPartlyFedIn),
          preset("de_voll_", "Volleinspeisung", true, kFullyFedIn)};
}

TariffPreset austrian(std::string id, std::string period, double cents, std::chrono::year_month_day first) {
  return {.id = std::move(id),
          .country = "AT",
          .name = "OeMAG-Marktpreis",
          .period = std::move(period),
          .source = kAustrianSource,
          .tariff = {.classes = {{kAnySize_kwp, cents / 100}}},
          .first_day = first,
          .last_day = first.year() / first.month() / std::chrono::last,
          .remark = kAustrianRemark};
}

/// Energieverordnung, article 12 (1bis): 6 Rp. below 30 kW. From there to below 150 kW 180 Rp. divided by the
/// power in kW, or 6.2 Rp. where nothing is used in the house.
TariffPreset swiss(std::string id, std::string name, bool full_feed_in) {
  const auto below = [](double kw) { return std::nextafter(kw, 0); };
  geo::FeedInTariff tariff{.classes = {{below(30), 0.06}, {below(150), full_feed_in ? 0.062 : 0.06}},
                           .marginal = false};
  if (!full_feed_in) tariff.most_rate_times_kwp = 1.8;
  return {.id = std::move(id),
          .country = "CH",
          .name = std::move(name),
          .period = "ab 2026",
          .source = kSwissSource,
          .full_feed_in = full_feed_in,
          .tariff = std::move(tariff),
          .first_day = 2026y / 1 / 1,
          .beyond = {{below(150), kNoMinimum}}};
}

const std::vector<TariffPreset>& all_presets() {
  static const std::vector<TariffPreset> presets = [] {
    std::vector<TariffPreset> all;
    for (const int half_years : {6, 5, 4})
      for (TariffPreset& preset : of_half_year(half_years)) all.push_back(std::move(preset));
    all.push_back(austrian("at_oemag_2025", "Mitte 2025", 5.97, 2025y / 6 / 1));
    all.push_back(austrian("at_oemag_2024_04", "April 2024", 4.66, 2024y / 4 / 1));
    all.push_back(austrian("at_oemag_2024_01", "Jänner 2024", 8.14, 2024y / 1 / 1));
    all.push_back(swiss("ch_minimum_2026", "Mindestvergütung mit Eigenverbrauch", false));
    all.push_back(swiss("ch_voll_2026", "Mindestvergütung ohne Eigenverbrauch", true));
    return all;
  }();
  return presets;
}

}  // namespace

std::vector<TariffPreset> tariff_presets(std::string_view country) {
  std::vector<TariffPreset> own;
  std::copy_if(all_presets().begin(), all_presets().end(), std::back_inserter(own),
               [&](const TariffPreset& preset) { return preset.country == country; });
  return own;
}

bool holds_on(const TariffPreset& preset, std::chrono::year_month_day day) {
  return preset.first_day <= day && (!preset.last_day || day <= *preset.last_day);
}

std::string remarks_on(const TariffPreset& preset, double kwp, double years,
                       std::chrono::year_month_day today) {
  std::string text;
  const auto add = [&](const std::string& sentence) {
    if (!sentence.empty()) text += (text.empty() ? "" : " ") + sentence;
  };
  if (preset.last_day && today > *preset.last_day)
    add(preset.paid_years
            ? "Dieser Satz gilt für Anlagen, die in dieser Zeit in Betrieb gegangen sind. Für eine neue ist "
              "er "
              "nicht mehr der Satz von heute: Wählen Sie den aktuellen, oder tragen Sie ihn als eigene "
              "Angabe ein."
            : "Das ist nicht mehr der Satz von heute: Tragen Sie den aktuellen als eigene Angabe ein.");
  if (preset.paid_years && years > *preset.paid_years)
    add("Bezahlt wird " + std::to_string(*preset.paid_years) +
        " Jahre lang; für die Jahre danach ist keine Vergütung eingerechnet.");
  for (const TariffPreset::Beyond& one : preset.beyond)
    if (kwp > one.kwp) add(one.remark);
  add(preset.remark);
  return text;
}

Currency currency_of(std::string_view country) {
  return country == "CH" ? Currency{"CHF", "Rp."} : Currency{"EUR", "ct"};
}

}  // namespace http
