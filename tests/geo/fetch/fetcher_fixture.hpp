// An office on loopback, a folder, and a fetcher between them that does not wait for long.
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <utility>

#include "geo/fetch/fetcher.hpp"
#include "tests/office_server.hpp"
#include "tests/temporary_folder.hpp"

namespace fetch_test {

using namespace std::chrono_literals;

/// Bytes like a TIFF's, no two places alike.
inline std::string tiff_bytes(std::size_t size, unsigned seed = 1) {
  std::mt19937_64 random(seed);
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes.replace(0, 4, std::string("II*\0", 4));
}

inline std::string content_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class Fetch : public testing::Test {
 protected:
  static geo::NetworkOptions quick() {
    geo::NetworkOptions options{.contact = "gis@example.org"};
    options.rules.requests_per_s = 1'000;
    options.rules.burst = 1'000;
    options.connect_limit = 2s;
    options.slow_limit = 1s;
    options.dead_for = 100ms;
    return options;
  }
  geo::FetchResult<geo::FetchedFile> fetched(const std::string& path, geo::FileRequest request = {}) {
    request.url = office_.url(path);
    if (request.target.empty()) request.target = folder_.file("tile.tif");
    return fetcher_.file(request, control_);
  }
  std::string text_of_failure(const std::string& path, geo::FileRequest request = {}) {
    const auto result = fetched(path, std::move(request));
    EXPECT_FALSE(result) << path;
    return result ? "" : result.error().text;
  }
  std::set<std::string> files_left() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      names.insert(entry.path().filename());
    return names;
  }

  const std::string bytes_ = tiff_bytes(300'000);
  test::OfficeServer office_;
  test::TemporaryFolder folder_;
  geo::RunControl control_;
  geo::Network network_{quick()};
  geo::Fetcher fetcher_{network_, {.tries = 4, .first_wait = 20ms, .longest_wait = 3s}};
};

}  // namespace fetch_test
