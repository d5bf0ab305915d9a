// Blocks of remote files in a folder of bounded size. A block is a file of its own, written beside and
// renamed, with a sum at its end: after `kill -9`, a power cut or a damaged disk a block is either right or
// not there. Several programs may share a folder. What was read longest ago goes first.
#pragma once
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace geo {

class BlockStore {
 public:
  /// At most `bytes` on disk, as the disk counts.
  BlockStore(std::filesystem::path folder, std::uint64_t bytes);

  /// `set` and `name` are letters, digits and dashes. None when it is not held or is damaged.
  std::optional<std::string> get(const std::string& set, const std::string& name);
  /// Best effort: on a full disk nothing is kept.
  void put(const std::string& set, const std::string& name, std::string_view bytes);
  void drop(const std::string& set);
  void drop(const std::string& set, const std::string& name);

 private:
  std::filesystem::path path_of(const std::string& set, const std::string& name) const;
  bool written(const std::filesystem::path& path, const std::string& sum, std::string_view bytes);
  void make_room();

  std::filesystem::path folder_;
  std::uint64_t most_bytes_;
  std::atomic<std::uint64_t> held_bytes_{0}, names_{0};
  std::once_flag counted_;
  std::mutex making_room_;
};

}  // namespace geo
