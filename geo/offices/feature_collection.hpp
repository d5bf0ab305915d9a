// A collection of features as JSON: GeoJSON, and what ArcGIS servers answer.
#pragma once
#include <simdjson.h>

#include <string>

#include "geo/failure.hpp"

namespace geo::offices {

/// Parses `text` into `root`, which lives as long as the parser. Its features; invalid_input with a sentence
/// that begins with `url` and has what the server says where it sent an error instead.
Result<simdjson::dom::array> features_in(simdjson::dom::parser& parser, const simdjson::padded_string& text,
                                         simdjson::dom::object& root, const std::string& url);

}  // namespace geo::offices
