// The operator's check tries every data set before a client's run meets it.
#include "geo/data/data_set_check.hpp"

#include <gtest/gtest.h>

#include "tests/geo/hostile_catalogue.hpp"

namespace {

TEST(DataSetCheck, IsContentWithTheSampleRegion) {
  const auto catalogue = geo::Catalogue::load(hostile::region() / "geodata.json");
  ASSERT_TRUE(catalogue) << catalogue.error().text;
  std::size_t checked = 0;
  for (std::size_t kind = 0; kind < geo::kDataKinds; ++kind)
    for (const geo::DataSet& set : catalogue->of(static_cast<geo::DataKind>(kind))) {
      const auto usable = geo::check_data_set(set);
      EXPECT_TRUE(usable) << usable.error().text;
      ++checked;
    }
  EXPECT_EQ(checked, 7u);
}

TEST(DataSetCheck, ReadsAPlaceOfAFileThatOpens) {
  hostile::Draft draft;
  const std::string path =
      hostile::translated((hostile::region() / "dsm.tif").string(), draft.file("a.tif"), {});
  draft.use("dsm", path);
  const auto catalogue = geo::Catalogue::load(draft.catalogue());
  ASSERT_TRUE(catalogue) << catalogue.error().text;
  std::filesystem::resize_file(path, 2000);  // the header stays
  const auto usable = geo::check_data_set(catalogue->of(geo::DataKind::dsm).front());
  ASSERT_FALSE(usable);
  EXPECT_TRUE(hostile::is_one_sentence(usable.error().text)) << usable.error().text;
  EXPECT_NE(usable.error().text.find("a.tif"), std::string::npos);
}

TEST(DataSetCheck, SaysThatASurfaceModelIsTooCoarse) {
  hostile::Draft draft;
  draft.use("dsm", hostile::warped((hostile::region() / "dsm.tif").string(), draft.file("five.tif"),
                                   {"-tr", "5", "5"}));
  const auto catalogue = geo::Catalogue::load(draft.catalogue());
  ASSERT_TRUE(catalogue) << catalogue.error().text;
  const auto usable = geo::check_data_set(catalogue->of(geo::DataKind::dsm).front());
  ASSERT_FALSE(usable);
  EXPECT_NE(usable.error().text.find("too coarse"), std::string::npos) << usable.error().text;
}

}  // namespace
