// What a feature service answers: WFS and OGC API Features, as GeoJSON or as GML.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "geo/failure.hpp"

namespace geo::offices {

struct FeatureAnswer {
  /// How many features it says there are: "numberMatched" of a WFS 2.0 and of an OGC API, "numberOfFeatures"
  /// of a WFS 1.1. Asked with resultType=hits these are the service's; of an answer with features some
  /// servers (deegree, MapServer) tell the answer's own.
  std::optional<std::uint64_t> matched;
  /// The features that it holds, each by a hash of its identifier; of the whole where it has none.
  std::vector<std::size_t> features;
};

// invalid_input, with a sentence that begins with `url`, for what is neither, for what was cut off, and for a
// service's exception, which often comes with status 200.

Result<FeatureAnswer> feature_answer(std::string_view text, const std::string& url);
/// GML of any length: a service without pages sends a whole town at once. GeoJSON of 256 MB at most.
Result<FeatureAnswer> feature_answer(const std::filesystem::path& file, const std::string& url);

}  // namespace geo::offices
