// Rasters on offices' servers as the rest of geo reads them: by the catalogue's path, kept open, with the
// server's reason when it fails.
#include "geo/data/gdal.hpp"
#include "geo/data/kept_open.hpp"
#include "tests/geo/fetch/office_fixture.hpp"

namespace {

using namespace std::chrono_literals;
using fetch_test::Cache;
using geo::FailureKind;
using testing::HasSubstr;

class OfficeRaster : public fetch_test::OfficeFilesTest {
 protected:
  OfficeRaster() { serve(); }
  ~OfficeRaster() override { geo::close_all_kept(); }
  void serve() {
    auto cache = std::make_shared<Cache>(options());
    geo::serve_office_files({cache, &cache->files});
  }
  std::string path() const { return geo::kOfficePrefix + url(); }
  static geo::Result<geo::Grid<float>> middle_of(const std::string& path) {
    const auto raster = geo::kept_raster(path, "EPSG:25832");
    if (!raster) return tl::make_unexpected(raster.error());
    return (*raster)->read({600'700, 5'299'000, 600'900, 5'299'200});
  }
};

TEST_F(OfficeRaster, IsReadAsTheFileIsAndStaysOpen) {
  const auto here = middle_of(local());
  ASSERT_TRUE(here) << here.error().text;
  for (int i = 0; i < 3; ++i) {
    const auto there = middle_of(path());
    ASSERT_TRUE(there) << there.error().text;
    EXPECT_EQ(there->values == here->values, true);
  }
  const auto opened = geo::openings_of_this_thread();
  ASSERT_TRUE(middle_of(path()));
  EXPECT_EQ(geo::openings_of_this_thread(), opened);
}

TEST_F(OfficeRaster, ThatHasChangedIsOpenedAnew) {
  auto doubtful = options();
  doubtful.same_for = 0s;  // asked at each opening, so never kept
  auto cache = std::make_shared<Cache>(doubtful);
  geo::serve_office_files({cache, &cache->files});
  ASSERT_TRUE(middle_of(path()));
  fetch_test::write_raster(folder_.file("newer.tif"), 2);
  office_.put_file("/dsm.tif", folder_.file("newer.tif"));
  const auto newer = middle_of(folder_.file("newer.tif"));
  const auto there = middle_of(path());
  ASSERT_TRUE(there && newer);
  EXPECT_EQ(there->values == newer->values, true);
}

TEST_F(OfficeRaster, TellsTheServersReason) {
  for (const int status : {429, 503}) {
    office_.put("/busy.tif",
                {.body = bytes_, .habits = {.busy_times = 99, .busy_status = status, .retry_after = "3"}});
    const auto failed = middle_of(geo::kOfficePrefix + office_.url("/busy.tif"));
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().kind, FailureKind::data_overloaded);
    serve();
  }
  const auto missing = middle_of(geo::kOfficePrefix + office_.url("/nothing.tif"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, FailureKind::data_unreachable);
  EXPECT_THAT(missing.error().text, HasSubstr("no such file (404)"));
  const auto dead =
      middle_of(std::string(geo::kOfficePrefix) + "http://gast:geheim@127.0.0.1:1/a.tif?token=abc");
  ASSERT_FALSE(dead);
  EXPECT_EQ(dead.error().kind, FailureKind::data_unreachable);
  EXPECT_THAT(dead.error().text, testing::Not(testing::AnyOf(HasSubstr("geheim"), HasSubstr("abc"))));
}

TEST_F(OfficeRaster, AStopIsToldAsAStop) {
  office_.change_habits("/dsm.tif", {.thinks_for = 5s});
  geo::RunControl control;
  control.cancel();
  const geo::OfficeReading reading(control);
  const auto stopped = middle_of(path());
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, FailureKind::cancelled);
}

TEST_F(OfficeRaster, ThatBreaksOffInTheMiddleOfAReadingHasItsReason) {
  const auto raster = geo::Raster::open(path(), "EPSG:25832");
  ASSERT_TRUE(raster) << raster.error().text;
  office_.put("/dsm.tif", {.body = bytes_ + "x"});
  auto cells = raster->read(raster->bounds());
  ASSERT_FALSE(cells);
  EXPECT_EQ(cells.error().kind, FailureKind::data_unreachable);
  EXPECT_THAT(cells.error().text, HasSubstr("has changed"));
}

}  // namespace
