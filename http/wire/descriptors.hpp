// How many files and sockets the process may have open, and how many connections that allows.
#pragma once
#include <cstdint>

namespace http {

/// Raises the limit as far as possible without privileges, and returns it.
std::uint64_t allow_all_descriptors();

/// How many of `wanted` connections fit beside the files of the store, the elevation data and the threads;
/// may be 0.
std::uint32_t connections_that_fit(std::uint32_t wanted, std::uint64_t descriptors);

/// The limit with which that many fit.
std::uint64_t descriptors_for(std::uint32_t connections);

}  // namespace http
