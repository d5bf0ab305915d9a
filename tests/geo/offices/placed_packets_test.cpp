// Packets of which an index says where they lie: outlines, and registers that grow with the areas.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "outlines_fixture.hpp"

namespace {

using namespace geo::offices;
using test::Outlines;
using testing::ElementsAre;

// Lower Saxony's index says where a packet lies, and its name does not say whose it is.
class PlacedPackets : public Outlines {
 protected:
  void SetUp() override {
    Outlines::SetUp();
    const auto feature = [&](const std::string& packet, const std::string& west, const std::string& east) {
      return R"({"type":"Feature","properties":{"zip":")" + office_.url("/lk/gru_" + packet + ".zip") +
             R"("},"geometry":{"type":"Polygon","coordinates":[[[)" + west + ",51.3],[" + east + ",51.3],[" +
             east + ",51.6],[" + west + ",51.6],[" + west + ",51.3]]]}}";
    };
    office_.put("/lk/index.geojson", {.body = R"({"type":"FeatureCollection","features":[)" +
                                              feature("05113_Essen", "6.9", "7.1") + "," +
                                              feature("05911_Bochum", "7.1", "7.4") + "]}"});
  }
  Recipe placed(const std::string& kind, const std::string& what) {
    auto made = read_recipe(
        R"({"id":"test","title":"T","provider":"P","licence":"L","notice":"N","crs":"EPSG:25832","heights":"H",
      "outline":[[5,50],[9,50],[9,53],[5,53]],"sources":[{"kind":")" +
            kind + R"(","title":"B","file_mb":1,"form":"vector","zipped":true,)" + what +
            R"(,"find":{"method":"index","url_field":"zip","urls":[")" + office_.url("/lk/index.geojson") +
            R"("]}}]})",
        "test");
    if (!made) throw std::runtime_error(made.error().text);
    return *made;
  }
  /// The packets of which a register was made, as the importer was given them.
  std::vector<std::size_t> imported(const SetPlan& set) {
    std::vector<std::size_t> files_in_each;
    const auto import = [&](const AddressPackets& packets, const Source& source,
                            const DataFolder& folder) -> geo::Result<std::string> {
      for (const std::string& packet : packets.files) {
        const auto ready = packets.made_ready(packet);
        if (!ready) return tl::make_unexpected(ready.error());
        const std::filesystem::directory_iterator files(*ready);
        files_in_each.push_back(static_cast<std::size_t>(std::distance(begin(files), end(files))));
      }
      std::ofstream(folder.addresses_of(source)) << "x";
      return folder.addresses_of(source).filename().string();
    };
    const auto outcome = acquire_addresses(set, folder_, fetcher_, import, {}, control_);
    EXPECT_TRUE(outcome && outcome->problems.empty());
    EXPECT_EQ(outcome->file, "test-addresses.addr");
    return files_in_each;
  }
};

TEST_F(PlacedPackets, OnlyThoseOfTheAreaAreFetchedAndAnUpdateKeepsToThem) {
  const Recipe recipe = placed("buildings", R"("layer":"gebauedebauwerk")");
  acquired(recipe, "6.95,51.40,7.05,51.50");
  EXPECT_EQ(count(), 3U);
  EXPECT_EQ(office_.counts("/lk/gru_05911_Bochum.zip").requests, 0);
  updated(recipe);
  EXPECT_EQ(count(), 3U);
  EXPECT_EQ(office_.counts("/lk/gru_05911_Bochum.zip").requests, 0);
  acquired(recipe, "7.2,51.40,7.3,51.50");
  EXPECT_EQ(office_.counts("/lk/gru_05911_Bochum.zip").requests, 1);
}

TEST_F(PlacedPackets, OfAddressesMakeARegisterThatGrowsWithTheAreas) {
  const Recipe recipe =
      placed("addresses", R"("import_as":"vector:layer=gebauedebauwerk,street=a,number=b")");
  EXPECT_EQ(imported(planned(recipe, "6.95,51.40,7.05,51.50", false).sets.front()),
            std::vector<std::size_t>{1});
  EXPECT_EQ(imported(planned(recipe, "6.95,51.40,7.05,51.50", false).sets.front()),
            std::vector<std::size_t>{})
      << "it is here";
  const SetPlan more = planned(recipe, "7.2,51.40,7.3,51.50", false).sets.front();
  EXPECT_EQ(more.found.files.size(), 2U);
  EXPECT_EQ(imported(more), (std::vector<std::size_t>{1, 1}));
  const SetPlan again = planned(recipe, "7.2,51.40,7.3,51.50", false).sets.front();
  EXPECT_EQ(again.here, 2U) << "the plan says so";
}

TEST_F(PlacedPackets, UnderANewUrlAreTheSameByTheirPlace) {
  const Recipe recipe = placed("buildings", R"("layer":"gebauedebauwerk")");
  acquired(recipe, "6.95,51.40,7.05,51.50");
  packet("2026_10", {{360000, 5702000}});
  const auto body = R"({"type":"FeatureCollection","features":[{"type":"Feature","properties":{"zip":")" +
                    office_.url("/lk/gru_2026_10.zip") +
                    R"("},"geometry":{"type":"Polygon","coordinates":[[[6.9,51.3],[7.1,51.3],[7.1,51.6],)" +
                    "[6.9,51.6],[6.9,51.3]]]}}]}";
  office_.put("/lk/index.geojson", {.body = body});
  EXPECT_THAT(updated(recipe).problems, ElementsAre());
  EXPECT_EQ(loss_, "");
  EXPECT_EQ(count(), 1U);
}

}  // namespace
