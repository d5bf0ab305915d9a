// What tells one state of a file from another: whether it is still the same bytes, without reading them.
#pragma once
#include <sys/types.h>

#include <ctime>
#include <optional>
#include <string>

namespace geo {

struct FileState {
  std::string path;
  dev_t device;
  ino_t number;
  off_t size;
  timespec written, changed;
};
bool operator==(const FileState& a, const FileState& b);

/// None for what is no file on this machine.
std::optional<FileState> state_of(const std::string& path);

}  // namespace geo
