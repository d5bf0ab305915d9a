// The table of errors against the contract's, and the problem documents made of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "http/api/errors.hpp"
#include "http/api/forms.hpp"
#include "tests/shared_data.hpp"

namespace {

using actors::Code;
using nlohmann::json;
using testing::HasSubstr;

const http::Links kLinks{"https://dach.example/api/v1", "https://app.example"};

struct CodeStatus {
  int status;
  std::string code;
  auto operator<=>(const CodeStatus&) const = default;
};

/// The contract's table of errors: | 503 | one_code, another_code | ...
std::set<CodeStatus> codes_in(std::istream& contract) {
  std::set<CodeStatus> found;
  std::string line;
  bool inside = false;
  while (std::getline(contract, line)) {
    if (line.starts_with("| Status | fehler.code")) inside = true;
    if (line.starts_with("## ")) inside = false;
    if (!inside || line.size() < 6 || !std::isdigit(static_cast<unsigned char>(line[2]))) continue;
    const auto second = line.find('|', 2);
    std::istringstream cell(line.substr(second + 1, line.find('|', second + 1) - second - 1));
    for (std::string code; std::getline(cell, code, ',');) {
      std::erase(code, ' ');
      found.insert({std::stoi(line.substr(2)), code});
    }
  }
  return found;
}

/// The same table, for machines that do not have the contract at hand.
constexpr auto kErrorsOfContract = R"(| Status | fehler.code |
| 401 | schluessel_fehlt |
| 401 | schluessel_ungueltig |
| 400 | lastprofil_unbekannt |
| 400 | verbrauch_fehlt |
| 400 | adresse_zu_lang |
| 404 | adresse_nicht_gefunden, adresse_nicht_eindeutig, analyse_fehlt |
| 403 | testkontingent_erschoepft |
| 404 | modell_fehlt, orthofoto_fehlt, projekt_unbekannt, keine_belegten_flaechen, flaeche_unbekannt |
| 404 | bild_nicht_zeichenbar |
| 500 | format_nicht_moeglich, analyse_unlesbar |
| 409 | projekt_besteht_bereits |
| 415 | inhaltstyp_falsch |
| 429 | ratengrenze |
| 503 | dienst_ueberlastet, dienst_nicht_erreichbar, analyse_abgebrochen |
| 422 | kein_dach |
| 500 | analyse_fehlgeschlagen, interner_fehler |
)";

std::set<CodeStatus> codes_of_table() {
  std::set<CodeStatus> ours;
  for (const http::ErrorRow& row : http::error_table()) ours.insert({row.status, actors::name_of(row.code)});
  return ours;
}

void expect_all_of(const std::set<CodeStatus>& contract) {
  constexpr std::size_t kContractCodes = 26;
  EXPECT_EQ(contract.size(), kContractCodes);
  const auto ours = codes_of_table();
  for (const CodeStatus& row : contract) EXPECT_TRUE(ours.contains(row)) << row.code << " " << row.status;
}

TEST(ErrorTable, HasEveryCodeOfTheContractWithItsStatus) {
  std::istringstream embedded(kErrorsOfContract);
  expect_all_of(codes_in(embedded));
}

TEST(ErrorTable, AgreesWithTheContractWhereItIsAtHand) {
  std::ifstream contract(test::shared_file("spec.md"));
  if (!contract) GTEST_SKIP() << "the contract is not here (ROOF_SHARED names its directory)";
  expect_all_of(codes_in(contract));
}

TEST(ErrorTable, AddsOnlyTheCodesThatTheContractLeavesOpen) {
  std::istringstream embedded(kErrorsOfContract);
  std::set<CodeStatus> added = codes_of_table();
  for (const CodeStatus& row : codes_in(embedded)) added.erase(row);
  const std::set<CodeStatus> expected{{400, "anfrage_ungueltig"},
                                      {404, "pfad_unbekannt"},
                                      {405, "methode_nicht_erlaubt"},
                                      {413, "anfrage_zu_gross"},
                                      {408, "anfrage_zu_langsam"}};
  EXPECT_EQ(added, expected);
}

TEST(ErrorTable, LeavesNoTextEmpty) {
  for (std::size_t i = 0; i < actors::kCodes; ++i) {
    const http::ErrorRow& row = http::error_table()[i];
    EXPECT_EQ(actors::code_of(actors::name_of(row.code)), row.code);
    for (const char* text : {row.title, row.meldung, row.tu}) EXPECT_GT(std::string(text).size(), 3U) << i;
  }
}

TEST(ErrorTable, SpeaksOfTheSameBoundsAsTheForms) {
  const std::string consumption = std::to_string(static_cast<long long>(http::kConsumptionMax_kwh));
  EXPECT_THAT(http::error_row(Code::verbrauch_fehlt).meldung, HasSubstr(consumption));
  EXPECT_THAT(http::error_row(Code::verbrauch_fehlt).tu, HasSubstr(consumption));
  EXPECT_THAT(http::error_row(Code::adresse_zu_lang).meldung, HasSubstr(std::to_string(http::kAddressMax)));
}

json document_of(const actors::Refusal& refusal) {
  return json::parse(http::problem(refusal, kLinks, "id").body);
}

TEST(ProblemDocument, HasTheContractsFieldsForEveryCode) {
  for (const http::ErrorRow& row : http::error_table()) {
    const http::Response response = http::problem({.code = row.code}, kLinks, "0123");
    EXPECT_EQ(response.status, row.status);
    EXPECT_EQ(response.content_type, "application/problem+json");
    const json document = json::parse(response.body);
    const std::string code = actors::name_of(row.code);
    EXPECT_EQ(document["type"], "https://dach.example/api/v1/doku#fehler-" + code);
    EXPECT_EQ(document["status"], row.status);
    EXPECT_EQ(document["instance"], "urn:anfrage:0123");
    EXPECT_EQ(document["doku"], "https://dach.example/api/v1/doku");
    EXPECT_EQ(document["fehler"]["code"], code);
    EXPECT_EQ(document["detail"], document["fehler"]["meldung"]);
    EXPECT_FALSE(document["fehler"]["tu"].get<std::string>().empty());
  }
}

TEST(ProblemDocument, HasTheRefusalsSentenceWhereTheTableSaysThatItMay) {
  int replaceable = 0;
  for (const http::ErrorRow& row : http::error_table()) {
    const bool may = row.wording == http::Wording::replaceable;
    replaceable += may;
    EXPECT_EQ(document_of({.code = row.code, .text = "Genauer."})["detail"], may ? "Genauer." : row.meldung);
  }
  EXPECT_GT(replaceable, 0);
}

TEST(ProblemDocument, CarriesEachExtraFieldOnlyWithItsCode) {
  for (const http::ErrorRow& row : http::error_table()) {
    const json fehler =
        document_of({.code = row.code, .found = {"a"}, .existing = {1, 2}, .project = 42})["fehler"];
    EXPECT_EQ(fehler.contains("gefunden"), row.code == Code::adresse_nicht_eindeutig);
    EXPECT_EQ(fehler.contains("erlaubt"), row.code == Code::lastprofil_unbekannt);
    EXPECT_EQ(fehler.contains("vorhanden"), row.code == Code::flaeche_unbekannt);
  }
  EXPECT_EQ(document_of({.code = Code::flaeche_unbekannt, .existing = {1, 3}})["fehler"]["vorhanden"],
            json({1, 3}));
  EXPECT_EQ(document_of({.code = Code::lastprofil_unbekannt})["fehler"]["erlaubt"].size(), 11U);
  EXPECT_EQ(document_of({.code = Code::adresse_nicht_eindeutig, .found = {"x", "y"}})["fehler"]["gefunden"],
            json({"x", "y"}));
}

TEST(ProblemDocument, SaysWhereTheAnalysisStartsAnew) {
  const auto fehler = document_of({.code = Code::analyse_fehlt, .project = 42})["fehler"];
  EXPECT_EQ(fehler["analyse_url"], "https://dach.example/api/v1/projekte/42/dachanalyse");
  // A failure of the geocoder belongs to no run.
  EXPECT_FALSE(document_of({.code = Code::dienst_nicht_erreichbar})["fehler"].contains("analyse_url"));
}

TEST(ProblemDocument, NamesTheExistingProject) {
  const auto document = document_of({.code = Code::projekt_besteht_bereits, .project = 42});
  EXPECT_EQ(document["bestehendes_projekt"]["analyse_url"],
            "https://dach.example/api/v1/projekte/42/dachanalyse");
  EXPECT_EQ(document["bestehendes_projekt"]["url"], "https://app.example/projekte/42/wirtschaftlichkeit");
}

TEST(ProblemDocument, SaysTheSameSecondsInTheHeaderAndInTheText) {
  const auto response = http::problem({.code = Code::ratengrenze, .retry_after_s = 1234}, kLinks, "id");
  EXPECT_THAT(response.headers,
              testing::Contains(std::pair<std::string, std::string>("Retry-After", "1234")));
  EXPECT_THAT(json::parse(response.body)["fehler"]["tu"].get<std::string>(), HasSubstr("1234"));
}

TEST(ProblemDocument, EscapesWhateverTextItCarries) {
  const std::string text = "\"</script>\\\n\u00fc";
  EXPECT_EQ(document_of({.code = Code::kein_dach, .text = text})["fehler"]["meldung"], text);
}

}  // namespace
