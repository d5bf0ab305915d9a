// Files of the repository that tests need, wherever below it a test program is started.
#pragma once
#include <filesystem>
#include <string>

namespace test {

inline std::filesystem::path repository_file(const std::string& name) {
  for (auto folder = std::filesystem::current_path();; folder = folder.parent_path()) {
    if (std::filesystem::exists(folder / "CMakePresets.json")) return folder / name;
    if (folder == folder.root_path()) return name;
  }
}

}  // namespace test
