// How many files and sockets the process may have open, and how many connections that allows.
#pragma once
#include <cstdint>

namespace http {

/// Raises the limit as far as it goes without privileges; what it is then.
std::uint64_t allow_all_descriptors();

/// Of `wanted` connections those that fit beside the files of the store, the elevation data and the threads'
/// own. 0: not one.
std::uint32_t connections_that_fit(std::uint32_t wanted, std::uint64_t descriptors);

}  // namespace http
