// Finds the reference data beside the project (environment variable ROOF_SHARED, by default ../shared), and
// reads its tables. Tests that need them skip when they are absent.
#pragma once
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace test {

inline std::filesystem::path shared_file(const std::string& name) {
  const char* given = std::getenv("ROOF_SHARED");
  const std::filesystem::path root =
      given ? std::filesystem::path(given) : std::filesystem::path(ROOF_SOURCE_DIR).parent_path() / "shared";
  return root / name;
}

inline bool has_shared_data() { return std::filesystem::exists(shared_file("data")); }

/// One row of a CSV table, by column name.
struct Row {
  std::map<std::string, std::string> cells;
  double number(const std::string& column) const { return std::stod(cells.at(column)); }
  const std::string& text(const std::string& column) const { return cells.at(column); }
};

/// Empty when the file is absent.
inline std::vector<Row> shared_table(const std::string& name) {
  std::ifstream in(shared_file(name));
  std::vector<Row> rows;
  std::string line, cell;
  std::vector<std::string> header;
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    std::vector<std::string> values;
    while (std::getline(cells, cell, ',')) values.push_back(cell);
    if (header.empty()) {
      header = values;
      continue;
    }
    Row row;
    for (std::size_t i = 0; i < std::min(header.size(), values.size()); ++i) row.cells[header[i]] = values[i];
    rows.push_back(row);
  }
  return rows;
}

}  // namespace test

/// Leaves the test when the real data are not at hand.
#define ROOF_NEEDS_SHARED_DATA() \
  if (!test::has_shared_data())  \
  GTEST_SKIP() << "the shared elevation data are not here (ROOF_SHARED names them)"
