// One member of a huge ZIP at an office, by the range of bytes that holds it.
#pragma once
#include <cstdint>
#include <string>

#include "geo/fetch/fetcher.hpp"
#include "geo/offices/listed.hpp"
#include "geo/run_control.hpp"

namespace geo::offices {

struct FetchedMember {
  std::uint64_t bytes = 0;      ///< that came
  Result<std::string> content;  ///< unpacked; a failure when they are something else (zip_reading.hpp)
};

/// `zip`: the ZIP's URL. Fails as the network does.
FetchResult<FetchedMember> fetch_member(const std::string& zip, const ZipMember& member, Fetcher& fetcher,
                                        const RunControl& control);

}  // namespace geo::offices
