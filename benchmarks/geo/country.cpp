// Makes a catalogue as large as Germany's, without the tiles. `bench_country CATALOGUE OUT [REGISTER]` writes
// OUT/geodata.json with: the sets of CATALOGUE (a settlement, whose files are there); indexes of sixteen
// states, each with surface model, terrain model and orthophotos in tiles of a kilometre; a register's index.
// benchmarks/load/country.py starts the service on it and measures what the size costs. The indexes say that
// the tiles are at the office: of a tile that is here the service reads the middle before it starts.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include <cpl_conv.h>
#include <ogr_spatialref.h>
#include "geo/data/gdal.hpp"
#include "geo/data/tile_index.hpp"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// A grid of four by four states of 150 km by 150 km, 360,000 km2: a little more than Germany has.
constexpr int kStatesASide = 4, kTilesASide = 150;
constexpr double kTile_m = 1000, kWest_m = 280'000, kSouth_m = 5'240'000;

std::string wkt_of_utm32() {
  OGRSpatialReference system;
  system.importFromEPSG(25832);
  char* text = nullptr;
  system.exportToWkt(&text);
  std::string wkt = text;
  CPLFree(text);
  return wkt;
}

void write_index(const fs::path& path, double west_m, double south_m) {
  auto writer = geo::TileIndexWriter::open(path.string(), wkt_of_utm32());
  if (!writer) throw std::runtime_error(writer.error().text);
  for (int i = 0; i < kTilesASide * kTilesASide; ++i) {
    const int column = i % kTilesASide, row = i / kTilesASide;
    const double x = west_m + column * kTile_m, y = south_m + row * kTile_m;
    if (!writer->put(
            {.bounds = {x, y, x + kTile_m, y + kTile_m},
             .url = "https://office.invalid/" + path.stem().string() + "/" + std::to_string(i) + ".tif",
             .year = 2020 + i % 6,
             .cell_m = 1}))
      throw std::runtime_error(path.string() + " cannot be written");
  }
  if (!writer->commit()) throw std::runtime_error(path.string() + " cannot be written");
}

void write_country(const fs::path& catalogue, const fs::path& out, const std::string& addresses) {
  json all = json::parse(std::ifstream(catalogue));
  for (json& set : all.at("datasets"))
    if (set.contains("path"))
      set["path"] = fs::absolute(catalogue.parent_path() / set["path"].get<std::string>()).string();
  fs::create_directories(out);
  for (int state = 0; state < kStatesASide * kStatesASide; ++state) {
    const int column = state % kStatesASide, row = state / kStatesASide;
    for (const char* kind : {"dsm", "dtm", "orthophoto"}) {
      const std::string name = std::string(kind) + "_" + std::to_string(state);
      const fs::path index = out / (name + ".gpkg");
      const double side_m = kTilesASide * kTile_m;
      if (!fs::exists(index)) write_index(index, kWest_m + column * side_m, kSouth_m + row * side_m);
      all["datasets"].push_back({{"kind", kind},
                                 {"name", name},
                                 {"attribution", "made up"},
                                 {"year", 2023},
                                 {"index", index.filename().string()}});
    }
  }
  if (!addresses.empty())
    all["datasets"].push_back({{"kind", "addresses"},
                               {"name", "all houses"},
                               {"attribution", "made up"},
                               {"year", 2023},
                               {"path", fs::absolute(addresses).string()}});
  std::ofstream(out / "geodata.json") << all.dump(1) << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) {
    std::cerr << "usage: bench_country CATALOGUE OUT [REGISTER]\n";
    return 2;
  }
  try {
    geo::register_gdal_drivers();
    write_country(argv[1], argv[2], argc == 4 ? argv[3] : "");
  } catch (const std::exception& e) {
    std::cerr << e.what() << "\n";
    return 1;
  }
}
