#include "geo/offices/data_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cstdio>
#include <fstream>

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

Result<void> write_whole(const std::filesystem::path& file, const std::string& text) {
  std::error_code error;
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), error);
  const std::filesystem::path part = file.string() + "." + std::to_string(::getpid()) + ".part";
  const int out = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  bool written = out >= 0;
  for (std::size_t done = 0; written && done < text.size();) {
    const auto count = ::write(out, text.data() + done, text.size() - done);
    written = count > 0;
    if (written) done += static_cast<std::size_t>(count);
  }
  written = written && ::fsync(out) == 0;
  if (out >= 0) written = ::close(out) == 0 && written;
  if (written) std::filesystem::rename(part, file, error);
  if (written && !error) return {};
  std::filesystem::remove(part, error);
  return fail(FailureKind::invalid_input,
              file.string() + ": cannot be written; is the disk full, or not ours?");
}

Result<FolderLock> FolderLock::take(const DataFolder& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder.root(), error);
  const std::string path = (folder.root() / "geodata.lock").string();
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return fail(FailureKind::invalid_input, path + ": cannot be written");
  if (::flock(file, LOCK_EX | LOCK_NB) == 0) return FolderLock(file);
  ::close(file);
  return fail(FailureKind::data_overloaded,
              folder.root().string() + ": another roofd geodata is at work here; wait until it has ended");
}

FolderLock::~FolderLock() {
  if (file_ >= 0) ::close(file_);
}

}  // namespace geo::offices
