#include "geo/data/file_state.hpp"

#include <sys/stat.h>

namespace geo {
namespace {

bool same_time(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

}  // namespace

bool operator==(const FileState& a, const FileState& b) {
  return a.path == b.path && a.device == b.device && a.number == b.number && a.size == b.size &&
         same_time(a.written, b.written) && same_time(a.changed, b.changed);
}

std::optional<FileState> state_of(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return {};
  return FileState{path, found.st_dev, found.st_ino, found.st_size, found.st_mtim, found.st_ctim};
}

}  // namespace geo
