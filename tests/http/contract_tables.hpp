// The contract's tables, read from its own markdown: bodies field by field, endpoints with their statuses,
// query parameters. The same reader takes the copy below, for machines that have no contract at hand, and the
// contract itself, where it lies beside the project.
#pragma once
#include <cctype>
#include <istream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace test {

struct ContractField {
  std::string type;  ///< string, integer, number, boolean, object, array
  bool nullable = false;
  bool uri = false;
  bool operator==(const ContractField&) const = default;
};

struct ContractTables {
  std::map<std::string, std::map<std::string, ContractField>> bodies;  ///< by name, then by field
  std::map<std::string, std::set<int>> statuses;                       ///< by "GET /projekte"
  std::map<std::string, std::set<std::string>> queries;  ///< "GET /analyse" -> "adresse yes": required
  bool operator==(const ContractTables&) const = default;
};

namespace contract_detail {

inline std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream rest(line.substr(1));
  for (std::string cell; std::getline(rest, cell, '|');) {
    const auto first = cell.find_first_not_of(' ');
    cells.push_back(first == std::string::npos ? ""
                                               : cell.substr(first, cell.find_last_not_of(' ') - first + 1));
  }
  return cells;
}

/// "number or null", "string, URI", "array of Dachflaeche", "Verschattung or null".
inline ContractField field_of(const std::string& type) {
  ContractField field;
  field.nullable = type.find("or null") != std::string::npos;
  field.uri = type.find("URI") != std::string::npos;
  for (const char* plain : {"string", "integer", "number", "boolean", "array"})
    if (type.starts_with(plain)) field.type = plain;
  if (field.type.empty()) field.type = "object";  // "object", or the name of a body
  return field;
}

inline void read_field(const std::string& line, std::map<std::string, ContractField>& body) {
  const auto cells = cells_of(line);
  if (cells.size() < 2 || cells[0] == "Field" || cells[0].starts_with("-")) return;
  std::istringstream names(cells[0]);
  for (std::string name; std::getline(names, name, ',');) {
    std::erase(name, ' ');
    body[name] = field_of(cells[1]);
  }
}

/// "Responses: 200 Ergebnis; 202 Laufstand (...); 400, 401 as Fehler."
inline std::set<int> statuses_in(const std::string& line) {
  std::set<int> all;
  const std::string said = line.substr(line.find("Response"));
  static const std::regex kStatus(R"(\b[2-5]\d\d\b)");
  for (std::sregex_iterator it(said.begin(), said.end(), kStatus), end; it != end; ++it)
    all.insert(std::stoi(it->str()));
  return all;
}

}  // namespace contract_detail

inline ContractTables read_contract(std::istream& in) {
  using namespace contract_detail;
  static const std::set<std::string> kBodies{"Angelegt",    "Laufstand",    "Ergebnis",
                                             "Dachflaeche", "Verschattung", "Zusammenfassung"};
  ContractTables tables;
  std::string section;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("#")) {
      section = line.substr(line.find(' ') + 1);
      if (!section.starts_with("GET ") && !section.starts_with("POST "))
        section = section.substr(0, section.find(' '));
    } else if (kBodies.contains(section) && line.starts_with("| ")) {
      read_field(line, tables.bodies[section]);
    } else if (section.find(" /") != std::string::npos && line.find("Response") != std::string::npos) {
      for (const int status : statuses_in(line)) tables.statuses[section].insert(status);
    } else if (section == "GET /analyse" && line.starts_with("| ")) {
      const auto cells = cells_of(line);
      if (cells[0] != "Name" && !cells[0].starts_with("-"))
        tables.queries[section].insert(cells[0] + " " + cells[1]);
    }
  }
  return tables;
}

/// Carried over from the contract (spec.md, description version 1.1.0).
inline constexpr auto kContractCopy = R"(
### Angelegt (202 body of POST /projekte and of the first GET /analyse)
| projekt_id | integer |
| name | string |
| adresse | string |
| lat, lon | number |
| zustand | string |
| analyse_url | string, URI |
| erneut_in_s | integer |
| hinweis | string |
### Laufstand (202 body while running)
| projekt_id | integer |
| zustand | string |
| analyse_url | string, URI |
| erneut_in_s | integer |
| wartet | boolean |
| schritt | string or null |
| fertig | integer or null |
| gesamt | integer or null |
| hinweis | string |
### Ergebnis (200 body when finished)
| zustand | string |
| projekt_id | integer |
| jahresverbrauch_kwh | number |
| lastprofil | string |
| dauer_s | number |
| flaechen | array of Dachflaeche |
| zusammenfassung | Zusammenfassung |
| wirtschaftlichkeit | object |
| medien | object |
| quellen | array of objects |
| warnungen | array of string |
### Dachflaeche (element of `flaechen`)
| id | integer |
| name | string |
| gebaeude | integer or null |
| grundflaeche_m2 | number |
| dachflaeche_m2 | number |
| neigung_grad | number |
| azimut_grad | number |
| firsthoehe_m | number or null |
| module_moeglich | integer |
| leistung_moeglich_kwp | number |
| module_empfohlen | integer |
| leistung_empfohlen_kwp | number |
| ertrag_kwh_pro_kwp | number or null |
| ertrag_enthaelt_verschattung | boolean |
| empfohlen | boolean |
| verschattung | Verschattung or null |
| umriss | object |
| bild_url | string, URI |
### Verschattung
| verfahren | string |
| verlust_mittel_pct | number or null |
| messpunkte | array |
### Zusammenfassung
| flaechen_anzahl | integer (not null) |
| grundflaeche_m2 | number or null |
| dachflaeche_m2 | number or null |
| gebaeude | integer or null |
| module_moeglich | integer or null |
| leistung_moeglich_kwp | number or null |
| empfehlung_kwp | number or null |
| auslegung_kwp | number or null |
| auslegung_module | integer or null |
| auslegung_flaechen | integer or null |
| bestand_kwp | number or null |
| modulleistung_w | number or null |
| ertrag_kwh | number or null |
| spez_ertrag_kwh_kwp | number or null |
### GET /analyse
| schluessel | no |
| adresse | yes |
| jahresverbrauch_kwh | yes |
| lastprofil | no |
| name | no |
Responses: 200 Ergebnis; 202 Laufstand; 400, 401, 404, 422, 429, 503 as Fehler.
### POST /projekte
Responses: 202 Angelegt; 400, 401, 403, 404, 409, 415, 429, 500 as Fehler.
### GET /projekte
Response 200 Projektliste; 401, 429.
### GET /projekte/{projekt_id}/dachanalyse
Responses: 200 Ergebnis; 202 Laufstand; 401; 404; 422; 429; 500; 503.
### POST /projekte/{projekt_id}/dachanalyse
Responses: 202 Laufstand; 400, 401, 404, 415, 429.
)";

inline ContractTables contract_tables() {
  std::istringstream copy(kContractCopy);
  return read_contract(copy);
}

}  // namespace test
