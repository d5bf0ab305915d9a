#include "geo/fetch/block_store.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <system_error>
#include <vector>

namespace geo {
namespace {

// A block's file: its bytes, then these: "RB1 " and eight hexadecimal digits, the CRC-32 of its set's name,
// its own name and its bytes.
constexpr std::string_view kSumMark = "RB1 ";
constexpr std::size_t kSumBytes = 12;
constexpr std::uint64_t kFreeForOthers = 256ull << 20;
constexpr double kAfterMakingRoom = 0.9;  // of what is allowed: room is made seldom
constexpr off_t kLargest = 16 << 20;      // no block is: whatever it is, it is not read
constexpr std::time_t kAbandoned_s = 3'600;

std::string sum_of_block(const std::string& set, const std::string& name, std::string_view bytes) {
  uLong sum = crc32_z(0, nullptr, 0);
  for (const std::string_view part :
       {std::string_view(set), std::string_view("/"), std::string_view(name), bytes})
    sum = crc32_z(sum, reinterpret_cast<const Bytef*>(part.data()), part.size());
  std::string text(kSumMark);
  constexpr char kHex[] = "0123456789abcdef";
  for (int shift = 28; shift >= 0; shift -= 4) text += kHex[(sum >> shift) & 15];
  return text;
}

bool write_whole(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

std::optional<std::string> read_whole(int file) {
  struct stat found {};
  if (::fstat(file, &found) != 0 || found.st_size > kLargest) return {};
  std::string bytes(static_cast<std::size_t>(found.st_size), '\0');
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t count = ::pread(file, bytes.data() + at, bytes.size() - at, static_cast<off_t>(at));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return {};
    at += static_cast<std::size_t>(count);
  }
  return bytes;
}

struct StoredFile {
  std::filesystem::path path;
  std::uint64_t bytes;
  timespec used;
};

std::uint64_t bytes_on_disk(const struct stat& found) {
  constexpr std::uint64_t kDiskBlock = 512;  // st_blocks, whatever the file system's are
  return static_cast<std::uint64_t>(found.st_blocks) * kDiskBlock;
}

/// Of all files below; what programs that were killed left half written is removed on the way.
std::vector<StoredFile> files_below(const std::filesystem::path& folder) {
  std::vector<StoredFile> files;
  std::error_code error;
  std::filesystem::recursive_directory_iterator entry(folder, error), end;
  for (; !error && entry != end; entry.increment(error)) {
    struct stat found {};
    if (::lstat(entry->path().c_str(), &found) != 0 || !S_ISREG(found.st_mode)) continue;
    if (entry->path().extension() == ".new" && found.st_mtim.tv_sec < std::time(nullptr) - kAbandoned_s)
      ::unlink(entry->path().c_str());
    else
      files.push_back({entry->path(), bytes_on_disk(found), found.st_mtim});
  }
  return files;
}

}  // namespace

BlockStore::BlockStore(std::filesystem::path folder, std::uint64_t bytes)
    : folder_(std::move(folder)), most_bytes_(bytes) {}

std::filesystem::path BlockStore::path_of(const std::string& set, const std::string& name) const {
  return folder_ / set.substr(0, 2) / set / name;
}

std::optional<std::string> BlockStore::get(const std::string& set, const std::string& name) {
  const std::filesystem::path path = path_of(set, name);
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) return {};
  auto bytes = read_whole(file);
  ::futimens(file, nullptr);
  ::close(file);
  if (bytes && bytes->size() >= kSumBytes) {
    const std::string sum = bytes->substr(bytes->size() - kSumBytes);
    bytes->resize(bytes->size() - kSumBytes);
    if (sum == sum_of_block(set, name, *bytes)) return bytes;
  }
  ::unlink(path.c_str());
  return {};
}

void BlockStore::put(const std::string& set, const std::string& name, std::string_view bytes) {
  std::call_once(counted_, [this] {
    std::uint64_t held = 0;
    for (const StoredFile& file : files_below(folder_)) held += file.bytes;
    held_bytes_ += held;
  });
  const std::filesystem::path path = path_of(set, name);
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  const auto room = std::filesystem::space(path.parent_path(), error);
  if (error || room.available < kFreeForOthers + bytes.size()) return;
  if (!written(path, sum_of_block(set, name, bytes), bytes)) return;
  if (held_bytes_ > most_bytes_) make_room();
}

bool BlockStore::written(const std::filesystem::path& path, const std::string& sum, std::string_view bytes) {
  const std::string fresh =
      path.string() + "-" + std::to_string(::getpid()) + "-" + std::to_string(++names_) + ".new";
  const int file = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file < 0) return false;
  const bool whole = write_whole(file, bytes) && write_whole(file, sum);
  struct stat found {};
  const bool told = ::fstat(file, &found) == 0;
  const bool good = ::close(file) == 0 && whole && told && ::rename(fresh.c_str(), path.c_str()) == 0;
  if (!good) {
    ::unlink(fresh.c_str());
    return false;
  }
  // A file system may give the room later only.
  held_bytes_ += std::max<std::uint64_t>(bytes_on_disk(found), bytes.size() + sum.size());
  return true;
}

void BlockStore::make_room() {
  const std::unique_lock lock(making_room_, std::try_to_lock);
  if (!lock) return;
  auto files = files_below(folder_);
  std::sort(files.begin(), files.end(), [](const StoredFile& a, const StoredFile& b) {
    return a.used.tv_sec != b.used.tv_sec ? a.used.tv_sec < b.used.tv_sec : a.used.tv_nsec < b.used.tv_nsec;
  });
  std::uint64_t held = 0;
  for (const StoredFile& file : files) held += file.bytes;
  const auto allowed = static_cast<std::uint64_t>(static_cast<double>(most_bytes_) * kAfterMakingRoom);
  for (const StoredFile& file : files) {
    if (held <= allowed) break;
    if (::unlink(file.path.c_str()) == 0) held -= file.bytes;
    std::error_code ignored;
    std::filesystem::remove(file.path.parent_path(), ignored);  // once it is empty
  }
  held_bytes_ = held;
}

void BlockStore::drop(const std::string& set) {
  std::error_code ignored;
  std::filesystem::remove_all(folder_ / set.substr(0, 2) / set, ignored);
}

void BlockStore::drop(const std::string& set, const std::string& name) {
  ::unlink(path_of(set, name).c_str());
}

}  // namespace geo
