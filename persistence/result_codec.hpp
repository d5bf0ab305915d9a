// A finished analysis as bytes: four bytes of CRC-32 (big-endian, over the rest), then proto::Analysis. The
// checksum is the result's own, so that a flipped byte is found on reading it and takes no other record
// along.
#pragma once
#include <optional>
#include <string>

#include "geo/roof_analysis.hpp"

namespace persistence {

/// Nothing when one of its figures is not a number (NaN, infinite): such a result has no JSON.
std::optional<std::string> encode_result(const geo::RoofAnalysis& analysis);

/// Nothing when the bytes are damaged or of an unknown version (the contract's analyse_unlesbar).
std::optional<geo::RoofAnalysis> decode_result(const std::string& bytes);

}  // namespace persistence
