// One member of a huge ZIP at an office, by the range of bytes that holds it.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "geo/fetch/fetcher.hpp"
#include "geo/offices/listed.hpp"
#include "geo/run_control.hpp"

namespace geo::offices {

struct FetchedMember {
  std::uint64_t bytes = 0;      ///< that came
  Result<std::string> content;  ///< unpacked; a failure when they are something else (zip_reading.hpp)
};

/// Bytes of the ZIP at the office.
using BytesOfZip = std::function<FetchResult<std::string>(ByteRange)>;

/// Fails as `bytes` does, and as cancelled when it cannot be told whether the member is sound any more.
FetchResult<FetchedMember> fetch_member(const ZipMember& member, const BytesOfZip& bytes,
                                        const RunControl& control);

}  // namespace geo::offices
