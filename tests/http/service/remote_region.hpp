// The sample region with its surface model at an office on loopback: runs fetch blocks of it as they need
// them.
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "geo/data/gdal.hpp"
#include "geo/data/tile_index.hpp"
#include "tests/http/service/running_service.hpp"
#include "tests/office_server.hpp"

namespace test {

class RemoteRegion {
 public:
  static constexpr const char* kModel = "/dsm.tif";  ///< its path at the office

  RemoteRegion() {
    namespace fs = std::filesystem;
    fs::copy(fs::path(sample_region().catalogue).parent_path(), folder_.path("region"),
             fs::copy_options::recursive);
    const std::string model = folder_.path("region/dsm.tif");
    office.put_file(kModel, model);
    const auto raster = geo::Raster::open(model);
    auto index = geo::TileIndexWriter::open(folder_.path("region/dsm.gpkg"), raster->crs_wkt());
    EXPECT_TRUE(index &&
                index->put({.bounds = raster->bounds(),
                            .url = office.url(kModel),
                            .year = 2024,
                            .cell_m = raster->cell_m()}) &&
                index->commit());
    fs::remove(model);
    std::ifstream in(catalogue());
    auto json = nlohmann::json::parse(in);
    for (auto& set : json["datasets"])
      if (set["kind"] == "dsm") set.erase("path"), set["index"] = "dsm.gpkg", set["remote"] = true;
    std::ofstream(catalogue()) << json;
  }
  std::string catalogue() const { return folder_.path("region/geodata.json"); }

 private:
  TemporaryFolder folder_;

 public:
  OfficeServer office;
};

}  // namespace test
