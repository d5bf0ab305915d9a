// A catalogue of a few entries in a folder, and the heights that a run would read by it.
#pragma once
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <utility>

#include "geo/data/catalogue.hpp"
#include "geo/data/height_models.hpp"
#include "geo/data/place_frame.hpp"
#include "tests/temporary_folder.hpp"

namespace test {

inline std::string write_catalogue(const TemporaryFolder& folder, const std::string& entries) {
  std::ofstream(folder.file("geodata.json")) << "{\"datasets\": [" << entries << "]}";
  return folder.file("geodata.json");
}

inline geo::Catalogue catalogue_of(const std::string& path) {
  auto catalogue = geo::Catalogue::load(path);
  EXPECT_TRUE(catalogue) << catalogue.error().text;
  return catalogue ? std::move(*catalogue) : geo::Catalogue();
}

/// What a run would read around a place.
inline geo::HeightWindow window_at(const geo::Catalogue& catalogue, geo::LonLat place,
                                   double radius_m = 550) {
  const auto models = geo::HeightModels::around(catalogue, geo::DataKind::dsm, place, {});
  if (!models || models->empty()) return {};
  const auto frame = geo::PlaceFrame::create(models->working_system(), place);
  const geo::Point p = frame->origin();
  auto window =
      models->read(models->working_system(), {p.x - radius_m, p.y - radius_m, p.x + radius_m, p.y + radius_m},
                   geo::kFinestCell_m, {});
  EXPECT_TRUE(window) << window.error().text;
  return window ? std::move(*window) : geo::HeightWindow();
}

}  // namespace test
