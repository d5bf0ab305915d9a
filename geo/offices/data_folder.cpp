#include "geo/offices/data_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <fstream>

#include "geo/offices/disk.hpp"

namespace geo::offices {
namespace {

/// FNV-1a, 64 bits (Fowler, Noll and Vo).
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace

std::filesystem::path DataFolder::entries_folder() const {
  return std::filesystem::path(catalogue).replace_extension(".d");
}

std::uint64_t DataFolder::free_bytes() const {
  std::error_code error;
  std::filesystem::path there = std::filesystem::absolute(root(), error);
  while (!std::filesystem::exists(there, error) && there.has_relative_path()) there = there.parent_path();
  const auto space = std::filesystem::space(there, error);
  return error ? 0 : space.available;
}

std::filesystem::path DataFolder::download_of(const std::string& url) const {
  return downloads() / file_name_of(url);
}

std::string file_name_of(const std::string& url) {
  constexpr std::size_t kReadable = 100;
  const std::size_t scheme = url.find("://");
  std::string name = url.substr(scheme == std::string::npos ? 0 : scheme + 3, kReadable);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '-') c = '_';
  std::array<char, 24> hash{};
  std::snprintf(hash.data(), hash.size(), "-%016llx", static_cast<unsigned long long>(hash_of(url)));
  return name + hash.data();
}

namespace {

/// Gives back an errno.
int write_to_disk(int file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const auto count = ::write(file, text.data() + done, text.size() - done);
    if (count <= 0) return count < 0 ? errno : EIO;
    done += static_cast<std::size_t>(count);
  }
  return ::fsync(file) == 0 ? 0 : errno;
}

}  // namespace

Result<void> write_whole(const std::filesystem::path& file, const std::string& text) {
  std::error_code error;
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), error);
  const std::filesystem::path part = file.string() + "." + std::to_string(::getpid()) + ".part";
  const int out = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (out < 0) return not_written(file, errno);
  int why = write_to_disk(out, text);
  if (::close(out) != 0 && why == 0) why = errno;
  if (why == 0 && ::rename(part.c_str(), file.c_str()) != 0) why = errno;
  if (why == 0) return {};
  std::filesystem::remove(part, error);
  return not_written(file, why);
}

Result<FolderLock> FolderLock::take(const DataFolder& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder.root(), error);
  const std::string path = (folder.root() / "geodata.lock").string();
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return not_written(path, errno);
  if (::flock(file, LOCK_EX | LOCK_NB) == 0) return FolderLock(file);
  ::close(file);
  return fail(FailureKind::data_overloaded,
              folder.root().string() + ": another roofd geodata is at work here; wait until it has ended");
}

FolderLock::~FolderLock() {
  if (file_ >= 0) ::close(file_);
}

}  // namespace geo::offices
