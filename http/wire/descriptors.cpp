#include "http/wire/descriptors.hpp"

#include <sys/resource.h>

#include <algorithm>

#include "http/wire/connection_places.hpp"

namespace http {
namespace {

/// RocksDB keeps 256 tables open. Its log, elevation files, threads, the operators' connections and outgoing
/// requests need descriptors as well.
constexpr std::uint64_t kOthers = 640;
constexpr std::uint64_t kBeside = kOthers + ConnectionPlaces::kToldInAll;

}  // namespace

std::uint64_t allow_all_descriptors() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1024;
  const rlimit raised{limit.rlim_max, limit.rlim_max};
  return ::setrlimit(RLIMIT_NOFILE, &raised) == 0 ? limit.rlim_max : limit.rlim_cur;
}

std::uint64_t descriptors_for(std::uint32_t connections) { return kBeside + connections; }

std::uint32_t connections_that_fit(std::uint32_t wanted, std::uint64_t descriptors) {
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(wanted, descriptors > kBeside ? descriptors - kBeside : 0));
}

}  // namespace http
