#include "geo/offices/disk.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <set>

namespace geo::offices {
namespace {

/// A file or a folder; gives back an errno.
int error_of_sync(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno;
  const int error = ::fsync(file) == 0 ? 0 : errno;
  ::close(file);
  return error;
}

}  // namespace

tl::unexpected<Failure> not_written(const std::filesystem::path& file, int error) {
  const bool full = means_no_room(error);
  Failure failure{full ? FailureKind::invalid_input : FailureKind::internal,
                  file.string() + ": cannot be written", full};
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

Result<void> bring_to_disk(const std::vector<std::filesystem::path>& files) {
  std::set<std::filesystem::path> folders;
  for (const auto& file : files) {
    folders.insert(file.has_parent_path() ? file.parent_path() : ".");
    if (const int error = error_of_sync(file); error != 0) return not_written(file, error);
  }
  for (const auto& folder : folders)
    if (const int error = error_of_sync(folder); error != 0) return not_written(folder, error);
  return {};
}

}  // namespace geo::offices
