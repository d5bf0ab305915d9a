#include "geo/offices/disk.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace geo::offices {

tl::unexpected<Failure> not_written(const std::filesystem::path& file, int error) {
  const bool full = means_no_room(error);
  Failure failure{full ? FailureKind::invalid_input : FailureKind::internal,
                  file.string() + ": cannot be written", full};
  // packet_acquisition.cpp knows a full disk by these words.
  if (full) failure.text += "; is the disk full?";
  if (error != 0) failure.text += std::string(" (") + std::strerror(error) + ")";
  return tl::make_unexpected(std::move(failure));
}

int error_of_writing(const std::filesystem::path& folder, std::uint64_t bytes) {
  std::string name = (folder / "room.XXXXXX").string();
  const int file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) return errno;
  ::unlink(name.c_str());
  const int error = ::posix_fallocate(file, 0, static_cast<off_t>(std::max<std::uint64_t>(bytes, 1)));
  ::close(file);
  return error;
}

}  // namespace geo::offices
