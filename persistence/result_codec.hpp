// A finished analysis as bytes: four bytes of CRC-32 (big-endian, over the rest), then proto::Analysis. Each
// result has its own checksum, so that a damaged byte is found when the result is read and affects no other
// record.
#pragma once
#include <optional>
#include <string>

#include "geo/roof_analysis.hpp"

namespace persistence {

/// Nothing when one of its numbers is NaN or infinite: such a result has no JSON.
std::optional<std::string> encode_result(const geo::RoofAnalysis& analysis);

/// Nothing when the bytes are damaged or of an unknown version (the contract's analyse_unlesbar).
std::optional<geo::RoofAnalysis> decode_result(const std::string& bytes);

}  // namespace persistence
