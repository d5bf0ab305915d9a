// A row of houses whose size and surroundings a benchmark chooses: heights, footprints, parcels, relief.
#pragma once
#include <filesystem>
#include <optional>

#include "geo/data/geodata.hpp"

/// A row of gables of 7 m by 10 m amid houses and trees, a relief of 60 km; files that are removed with it.
class MadeUpPlace {
 public:
  /// `reach_m`: to which distance the surface model reaches. Throws when its files cannot be written.
  MadeUpPlace(int houses, int reach_m);
  ~MadeUpPlace();
  MadeUpPlace(const MadeUpPlace&) = delete;
  MadeUpPlace& operator=(const MadeUpPlace&) = delete;

  const geo::Geodata& geodata() const { return *geodata_; }
  geo::LonLat at() const { return at_; }

 private:
  std::filesystem::path folder_;
  std::optional<geo::Geodata> geodata_;
  geo::LonLat at_;
};
