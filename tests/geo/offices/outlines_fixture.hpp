// An office with packets of outlines, and what is asked of it.
#pragma once
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../../office_server.hpp"
#include "../../temporary_folder.hpp"
#include "geo/data/vector_layers.hpp"
#include "geo/offices/acquisition.hpp"
#include "geo/offices/office_network.hpp"
#include "geo/offices/outline_plan.hpp"
#include "geo/offices/recipes.hpp"
#include "listing_slices.hpp"
#include "tile_forms.hpp"

namespace test {

using namespace geo::offices;

/// Two districts' packets, each a zipped GeoPackage with buildings among other polygons.
class Outlines : public testing::Test {
 protected:
  void SetUp() override {
    list({"05113_Essen", "05911_Bochum", "05111_Duesseldorf"});
    packet("05113_Essen", {{360000, 5702000}, {361000, 5702000}, {362000, 5702000}});
    packet("05911_Bochum", {{374000, 5705000}, {375000, 5705000}});
    packet("05111_Duesseldorf", {{345000, 5677000}});
  }
  /// The office's listing from now on; the one that was kept is old.
  void list(const std::vector<std::string>& packets) {
    std::string files;
    for (const std::string& name : packets)
      files += (files.empty() ? "" : ",") + (R"({"name":"gru_)" + name + ".zip\"}");
    office_.put("/lk/index.json", {.body = R"({"datasets":[{"name":"x","files":[)" + files + "]}]}"});
    std::filesystem::remove(ListingStore(folder_.listings(), {}).file_of(office_.url("/lk/index.json")));
  }
  void packet(const std::string& name, const std::vector<std::pair<double, double>>& places,
              const std::string& layer = "GebauedeBauwerk") {
    office_.put("/lk/gru_" + name + ".zip",
                {.body = test::zip_of(
                     {{"daten/gru.gpkg", test::squares_gpkg(layer, places)}, {"liesmich.txt", "x"}})});
  }
  Recipe recipe(const std::string& more = "") {
    auto made = read_recipe(
        R"({"id":"test","title":"T","provider":"P","licence":"L","notice":"N","crs":"EPSG:25832","heights":"H",
      "outline":[[5,50],[9,50],[9,53],[5,53]],"sources":[{"kind":"buildings","title":"B","file_mb":1,"form":"vector","zipped":true,
      "layer":"gebauedebauwerk")" +
            more + R"(,"find":{"method":"listing","urls":[")" + office_.url("/lk/index.json") +
            R"("],"names":["gru_{key}_{*}.zip"]}}]})",
        "test");
    if (!made) throw std::runtime_error(made.error().text);
    return *made;
  }
  Plan planned(const Recipe& recipe, const std::string& area, bool anew) {
    const ListingStore listings(folder_.listings(), asking_by(fetcher_, control_));
    Wish wish{.anew = anew};
    if (!area.empty()) wish.area = *read_area(area);
    auto plan = make_plan(recipe, wish, listings, "20261124");
    if (!plan) throw std::runtime_error(plan.error().text);
    for (SetPlan& set : plan->sets)
      loss_ = anew ? keep_known_packets(set, folder_) : add_known_packets(set, folder_);
    return *plan;
  }
  SetOutcome acquired(const SetPlan& set) {
    auto outcome = acquire_outlines(set, folder_, fetcher_, {}, control_);
    if (!outcome) throw std::runtime_error(outcome.error().text);
    return *outcome;
  }
  SetOutcome acquired(const Recipe& recipe, const std::string& area) {
    return acquired(planned(recipe, area, false).sets.front());
  }
  SetOutcome updated(const Recipe& recipe) { return acquired(planned(recipe, "", true).sets.front()); }
  std::size_t count() {
    const auto polygons =
        geo::read_polygons({(folder_.root() / "test-buildings.gpkg").string(), "", "", ""},
                           {300000, 5600000, 400000, 5800000}, "EPSG:25832", geo::RunControl());
    return polygons ? polygons->size() : 0;
  }

  /// A recipe that names its files itself.
  Recipe recipe_of(const std::vector<std::string>& packets) {
    Recipe made = recipe();
    FindRule& find = made.sources.front().find;
    find = {.method = FindMethod::file};
    for (const std::string& name : packets) find.urls.push_back(office_.url("/lk/gru_" + name + ".zip"));
    return made;
  }
  int requests_for(const std::string& packet) {
    return office_.counts("/lk/gru_" + packet + ".zip").requests;
  }
  /// All that was downloaded, as if it had been so long ago.
  void age_downloads(int days = 90) {
    const auto long_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(24) * days;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.downloads()))
      std::filesystem::last_write_time(entry.path(), long_ago);
  }

  test::OfficeServer office_;
  test::TemporaryFolder temporary_;
  std::string loss_;  ///< what the last plan said of it
  DataFolder folder_{temporary_.path() / "geodata.json"};
  geo::Network network_{{.contact = "test@example.org"}};
  geo::Fetcher fetcher_{network_, {.tries = 1}};
  geo::RunControl control_;
};

}  // namespace test
