#include "geo/sample_region/catalogue_file.hpp"

#include <fstream>

namespace geo::sample {

Result<void> write_catalogue(const std::string& path, const std::string& place, double cell_m) {
  struct Entry {
    const char *kind, *file;
    std::string name;
  };
  const std::string cells = cell_m < 1 ? " 0,5 m" : " 1 m";
  const Entry entries[] = {
      {"dsm", "dsm.tif", "Digitales Oberflächenmodell" + cells},
      {"dtm", "dtm.tif", "Digitales Geländemodell" + cells},
      {"buildings", "buildings.gpkg", "Gebäudeumrisse"},
      {"parcels", "parcels.gpkg", "Flurstücke"},
      {"addresses", "addresses.csv", "Adressen"},
      {"orthophoto", "orthophoto.tif", "Orthofoto 0,2 m"},
      {"relief", "relief.tif", "Geländemodell 80 m"},
  };
  std::ofstream out(path, std::ios::binary);
  out << "{\"datasets\": [";
  const char* separator = "\n";
  for (const Entry& entry : entries) {
    out << separator << "  {\"kind\": \"" << entry.kind << "\", \"path\": \"" << entry.file
        << "\", \"name\": \"" << entry.name << " " << place
        << "\", \"provider\": \"Musterregion\", \"licence\": \"CC0\", \"attribution\": "
        << "\"Musterregion " << place << ", erfundene Daten (CC0)\", \"year\": 2024}";
    separator = ",\n";
  }
  out << "\n]}\n";
  out.close();
  if (!out) return fail(FailureKind::invalid_input, path + ": cannot be written");
  return {};
}

}  // namespace geo::sample
