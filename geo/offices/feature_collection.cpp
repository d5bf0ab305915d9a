#include "geo/offices/feature_collection.hpp"

namespace geo::offices {

Result<simdjson::dom::array> features_in(simdjson::dom::parser& parser, const simdjson::padded_string& text,
                                         simdjson::dom::object& root, const std::string& url) {
  if (const auto error = parser.parse(text).get(root))
    return fail(FailureKind::invalid_input,
                url + ": is not JSON as it should be (" + simdjson::error_message(error) + ")");
  simdjson::dom::array features;
  if (root["features"].get(features)) {
    std::string_view said;
    const bool told = !root["error"]["message"].get(said);
    return fail(
        FailureKind::invalid_input,
        url + ": has no list of features" + (told ? ", but says: " + std::string(said.substr(0, 200)) : ""));
  }
  return features;
}

}  // namespace geo::offices
