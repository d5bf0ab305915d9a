#include "http/api/limit_table.hpp"

#include "http/api/forms.hpp"

namespace http {
namespace {

using actors::LimitClass;

constexpr auto kOff = "nicht begrenzt";
constexpr int kHoursPerDay = 24;

std::string counted(std::uint32_t limit, const char* per) {
  return limit == 0 ? kOff : std::to_string(limit) + " " + per;
}

std::string hours(std::uint32_t count) {
  if (count == kHoursPerDay) return "ein Tag";
  if (count % kHoursPerDay == 0) return std::to_string(count / kHoursPerDay) + " Tage";
  return count == 1 ? "eine Stunde" : std::to_string(count) + " Stunden";
}

std::string whole(double value) { return std::to_string(static_cast<long long>(value)); }

std::vector<LimitRow> run_limits(const actors::ActorOptions& options) {
  return {
      {"Analysen, die gleichzeitig rechnen, alle Nutzer zusammen", std::to_string(options.slots)},
      {"Dauer einer Analyse", "etwa 10 bis 90 Sekunden, höchstens " + std::to_string(options.deadline_s)},
      {"Aufbewahrung eines Ergebnisses", hours(options.retention_h)},
      {"Frist für das Abfragen, ab Beginn der Rechnung", std::to_string(kPollingDeadline_s) + " Sekunden"},
      {"Abstand zweier Aufrufe von GET /analyse",
       "mindestens " + std::to_string(kSingleCallPace_s) + " Sekunden"},
  };
}

std::vector<LimitRow> field_limits() {
  return {
      {"adresse", "höchstens " + std::to_string(kAddressMax) + " Zeichen"},
      {"name", "höchstens " + std::to_string(kNameMax) + " Zeichen"},
      {"jahresverbrauch_kwh", "größer als 0, höchstens " + whole(kConsumptionMax_kwh) + " kWh im Jahr"},
      {"breite", std::to_string(kWidthMin_px) + " bis " + std::to_string(kWidthMax_px) + " Pixel, sonst " +
                     std::to_string(kWidthDefault_px)},
      {"limit", "1 bis " + std::to_string(kPageMax) + ", sonst " + std::to_string(kPageDefault)},
      {"Inhalt einer Anfrage", "höchstens " + std::to_string(kBodyMax / 1024) + " KiB"},
      {"Testzugang", "eine Adresse (ein Projekt), " + std::to_string(actors::kTestPeriod_days) + " Tage"},
  };
}

}  // namespace

std::string RateLimit::text() const { return counted(per_hour, "je Stunde und Konto"); }

RateLimit rate_limit(LimitClass limit, const actors::ActorOptions& options) {
  const actors::LimitOptions& l = options.limits;
  switch (limit) {
    case LimitClass::create:
      return {"Projekte anlegen und Analysen neu starten", l.create_per_hour};
    case LimitClass::analyse:
      return {"GET /analyse, Anlegen und Abfragen zusammen", l.analyse_per_hour};
    case LimitClass::media:
      return {"Bilder, Orthofoto, 3D-Modell und ihre Liste zusammen", l.media_per_hour};
    case LimitClass::status:
      break;
  }
  return {"Stand abfragen und Projekte auflisten", l.status_per_hour};
}

std::vector<LimitRow> limit_table(const actors::ActorOptions& options) {
  std::vector<LimitRow> rows;
  for (const auto limit : {LimitClass::create, LimitClass::status, LimitClass::analyse, LimitClass::media}) {
    const RateLimit rate = rate_limit(limit, options);
    rows.push_back({std::string(rate.covers), rate.text()});
  }
  rows.push_back({"Alle Anfragen einer aufrufenden Adresse in einer Stunde",
                  counted(options.limits.address_per_hour, "Anfragen")});
  rows.push_back({"Alle Anfragen einer aufrufenden Adresse an einem Tag",
                  counted(options.limits.address_per_day, "Anfragen")});
  for (const LimitRow& row : run_limits(options)) rows.push_back(row);
  for (const LimitRow& row : field_limits()) rows.push_back(row);
  return rows;
}

}  // namespace http
