#include "geo/fetch/part_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

#include "geo/fetch/sha256.hpp"
#include "geo/fetch/url.hpp"

namespace geo {
namespace {

// TARGET.part.state, lines: this version; the machine's boot; SHA-256 of the URL; validator; whole size or
// nothing. After the machine itself has stopped, what the disk holds is not known: then the file begins anew.
constexpr const char* kStateVersion = "roof part 1";

std::string boot_of_machine() {
  std::ifstream in("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(in, id);
  return id;
}

bool write_all(int file, std::string_view bytes, std::uint64_t at) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
    at += static_cast<std::uint64_t>(written);
  }
  return true;
}

}  // namespace

PartFile::PartFile(std::filesystem::path target, std::string url)
    : target_(std::move(target)), path_(target_.string() + ".part"), url_(std::move(url)) {}

PartFile::PartFile(PartFile&& other) noexcept
    : target_(std::move(other.target_)),
      path_(std::move(other.path_)),
      url_(std::move(other.url_)),
      file_(std::exchange(other.file_, -1)),
      bytes_(other.bytes_),
      validator_(std::move(other.validator_)),
      whole_(other.whole_) {}

PartFile::~PartFile() {
  if (file_ >= 0) ::close(file_);
}

std::filesystem::path PartFile::state_path() const { return path_.string() + ".state"; }

FetchFailure PartFile::trouble(const std::string& doing) const {
  const int error = errno;
  const bool full = means_no_room(error);
  FetchFailure failure =
      fetch_failure(full ? FailureKind::invalid_input : FailureKind::data_unreachable,
                    path_.string() + " cannot be " + doing + " (" + std::strerror(error) +
                        (full ? "): make room on the disk and start again, what is there already is kept"
                              : "): see to the folder and start again"));
  failure.no_room = full;
  return failure;
}

FetchResult<PartFile> PartFile::open(const std::filesystem::path& target, const std::string& url) {
  std::error_code ignored;
  if (target.has_parent_path()) std::filesystem::create_directories(target.parent_path(), ignored);
  PartFile part(target, url);
  if (auto failure = part.take_lock()) return tl::make_unexpected(*std::move(failure));
  part.read_state();
  return part;
}

std::optional<FetchFailure> PartFile::take_lock() {
  // Whoever finishes the file takes its name away from under a lock that another one waits for.
  for (;;) {
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (file_ < 0) return trouble("opened");
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0)
      return fetch_failure(FailureKind::data_unreachable,
                           path_.string() + " is being fetched by another program: wait until it is done");
    struct stat mine {
    }, named{};
    if (::fstat(file_, &mine) == 0 && ::stat(path_.c_str(), &named) == 0 && mine.st_ino == named.st_ino) {
      bytes_ = static_cast<std::uint64_t>(mine.st_size);
      return {};
    }
    ::close(std::exchange(file_, -1));
  }
}

void PartFile::read_state() {
  std::ifstream in(state_path());
  std::string version, boot, url, validator, whole;
  const bool complete = std::getline(in, version) && std::getline(in, boot) && std::getline(in, url) &&
                        std::getline(in, validator) && std::getline(in, whole);
  if (!complete || version != kStateVersion || boot != boot_of_machine() || url != sha256_of(url_)) {
    bytes_ = 0;  // begin() empties it
    return;
  }
  validator_ = validator;
  std::uint64_t size = 0;
  if (std::from_chars(whole.data(), whole.data() + whole.size(), size).ec == std::errc() && !whole.empty())
    whole_ = size;
}

bool PartFile::write_state() const {
  const std::string fresh = state_path().string() + ".new";
  {
    std::ofstream out(fresh, std::ios::trunc);
    out << kStateVersion << "\n"
        << boot_of_machine() << "\n"
        << sha256_of(url_) << "\n"
        << validator_ << "\n"
        << (whole_ ? std::to_string(*whole_) : std::string()) << "\n";
    if (!out.flush()) return false;
  }
  return ::rename(fresh.c_str(), state_path().c_str()) == 0;
}

std::optional<FetchFailure> PartFile::begin(const std::string& validator,
                                            std::optional<std::uint64_t> whole) {
  // Empty first: never another file's bytes beneath a state that praises them.
  if (::ftruncate(file_, 0) != 0) return trouble("emptied");
  bytes_ = 0;
  validator_ = validator;
  whole_ = whole;
  if (!write_state()) return trouble("begun");
  return {};
}

std::optional<FetchFailure> PartFile::add(std::string_view bytes) {
  if (!write_all(file_, bytes, bytes_)) return trouble("written");
  bytes_ += bytes.size();
  return {};
}

std::string PartFile::first_bytes(std::size_t count) const {
  std::string bytes(count, '\0');
  const ssize_t got = ::pread(file_, bytes.data(), count, 0);
  bytes.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return bytes;
}

std::string PartFile::sha256() const { return sha256_of_file(file_); }

std::optional<FetchFailure> PartFile::finish() {
  if (::ftruncate(file_, static_cast<off_t>(bytes_)) != 0 || ::fdatasync(file_) != 0)
    return trouble("written");
  if (::rename(path_.c_str(), target_.c_str()) != 0) return trouble("given its name");
  ::unlink(state_path().c_str());
  return {};
}

void PartFile::discard() {
  // The state first: what has none is nobody's beginning.
  ::unlink(state_path().c_str());
  ::unlink(path_.c_str());
}

}  // namespace geo
