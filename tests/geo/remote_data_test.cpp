// Elevation data that come over HTTP (GDAL's /vsicurl/): from a server that serves, one that is busy, one
// that fails, one that stalls, and one that comes back.
#include <cpl_conv.h>
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "geo/data/gdal.hpp"
#include "tests/geo/sample_region_files.hpp"
#include "tests/loopback_server.hpp"

namespace geo {
namespace {

using Answer = test::LoopbackServer::Answer;

/// A server of the sample region's surface model that can be told to misbehave after it was opened.
class RemoteData : public testing::Test {
 protected:
  RemoteData() {
    // A test must not wait as long as a service may.
    CPLSetConfigOption("GDAL_HTTP_TIMEOUT", "1");
    CPLSetConfigOption("VSI_CACHE", "NO");
  }
  ~RemoteData() override { CPLSetConfigOption("GDAL_HTTP_TIMEOUT", "20"); }

  Answer answer(const test::LoopbackServer::Request& request) const {
    if (misbehaviour_) return *misbehaviour_;
    return test::file_answer(file_, request);
  }
  std::string path() const { return "/vsicurl/" + server_.url("/dsm.tif"); }
  FailureKind kind_of_opening() {
    const auto raster = Raster::open(path());
    return raster ? FailureKind::internal : raster.error().kind;
  }
  /// Opens while all is well; the cells are asked for afterwards.
  FailureKind kind_of_reading(Answer misbehaviour) {
    const auto raster = Raster::open(path());
    EXPECT_TRUE(raster) << raster.error().text;
    misbehaviour_ = std::move(misbehaviour);
    const auto grid = raster->read(raster->bounds());
    return grid ? FailureKind::internal : grid.error().kind;
  }

  std::string file_ = (sample_test::region("EPSG:25832") / "dsm.tif").string();
  std::optional<Answer> misbehaviour_;
  test::LoopbackServer server_{[this](const auto& request) { return answer(request); }};
};

TEST_F(RemoteData, ReadTheSameHeightsAsTheFile) {
  const auto remote = Raster::open(path());
  const auto local = Raster::open(file_);
  ASSERT_TRUE(remote) << remote.error().text;
  const auto a = remote->read(remote->bounds());
  const auto b = local->read(local->bounds());
  ASSERT_TRUE(a && b);
  ASSERT_EQ(a->values.size(), b->values.size());
  for (std::size_t i = 0; i < a->values.size(); ++i)
    ASSERT_TRUE(a->values[i] == b->values[i] || (std::isnan(a->values[i]) && std::isnan(b->values[i]))) << i;
}

TEST_F(RemoteData, OfABusyServerAreOverloaded) {
  for (const int status : {429, 503}) {
    misbehaviour_ = Answer{.status = status, .headers = {{"Retry-After", "60"}}};
    EXPECT_EQ(kind_of_opening(), FailureKind::data_overloaded) << status;
  }
}

TEST_F(RemoteData, OfAServerThatFailsAreUnreachable) {
  misbehaviour_ = Answer{.status = 500};
  EXPECT_EQ(kind_of_opening(), FailureKind::data_unreachable);
  misbehaviour_ = Answer{.status = 404};
  EXPECT_EQ(kind_of_opening(), FailureKind::data_unreachable);
  misbehaviour_ = Answer{.hangs_up = true};
  EXPECT_EQ(kind_of_opening(), FailureKind::data_unreachable);
}

TEST_F(RemoteData, ThatStopInTheMiddleFailInBoundedTimeWithTheReason) {
  EXPECT_EQ(kind_of_reading({.status = 503}), FailureKind::data_overloaded);
  misbehaviour_.reset();
  EXPECT_EQ(kind_of_reading({.hangs_up = true}), FailureKind::data_unreachable);
  misbehaviour_.reset();
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(kind_of_reading({.hangs = true}), FailureKind::data_unreachable);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(100));  // GDAL gives up after 20
}

TEST_F(RemoteData, AreReadAgainWhenTheServerIsBack) {
  misbehaviour_ = Answer{.status = 503};
  EXPECT_EQ(kind_of_opening(), FailureKind::data_overloaded);
  misbehaviour_.reset();
  EXPECT_TRUE(Raster::open(path()));
}

TEST_F(RemoteData, NobodyListensThereIsUnreachable) {
  const auto raster = Raster::open("/vsicurl/http://127.0.0.1:1/dsm.tif");
  ASSERT_FALSE(raster);
  EXPECT_EQ(raster.error().kind, FailureKind::data_unreachable);
}

}  // namespace
}  // namespace geo
