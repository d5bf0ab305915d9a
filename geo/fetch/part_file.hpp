// A file that is being fetched: TARGET.part, and TARGET.part.state, which tells what its bytes are the
// beginning of. Both survive the end of the program, however it comes.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "geo/fetch/fetch_failure.hpp"

namespace geo {

class PartFile {
 public:
  /// Takes up what an earlier try of the same URL has left, else begins. Fails when the folder cannot be
  /// written or another program fetches the same file.
  static FetchResult<PartFile> open(const std::filesystem::path& target, const std::string& url);
  PartFile(PartFile&& other) noexcept;
  PartFile& operator=(PartFile&&) = delete;
  ~PartFile();

  std::uint64_t bytes() const { return bytes_; }
  /// What the server called this state of the file, for If-Range; empty when it did not.
  const std::string& validator() const { return validator_; }
  const std::optional<std::uint64_t>& whole() const { return whole_; }
  const std::filesystem::path& path() const { return path_; }

  /// Throws away what there is.
  std::optional<FetchFailure> begin(const std::string& validator, std::optional<std::uint64_t> whole);
  /// Adds bytes at the end. Fails on a full disk.
  std::optional<FetchFailure> add(std::string_view bytes);
  std::string first_bytes(std::size_t count) const;
  std::string sha256() const;
  /// On disk for good, then under the target's name.
  std::optional<FetchFailure> finish();
  void discard();

 private:
  PartFile(std::filesystem::path target, std::string url);
  std::optional<FetchFailure> take_lock();
  void read_state();
  bool write_state() const;
  std::filesystem::path state_path() const;
  FetchFailure trouble(const std::string& doing) const;

  std::filesystem::path target_, path_;
  std::string url_;
  int file_ = -1;
  std::uint64_t bytes_ = 0;
  std::string validator_;
  std::optional<std::uint64_t> whole_;
};

}  // namespace geo
