#include "persistence/manifest_guard.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <optional>

namespace persistence {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNote = "/manifest-noted";

/// The MANIFEST in use; empty: none.
std::string name_in_use(const std::string& store) {
  std::string name;
  std::getline(std::ifstream(store + "/CURRENT"), name);
  return name;
}

/// Of two names with numbers, which have six digits or more.
bool is_later(const std::string& name, const std::string& other) {
  return name.size() != other.size() ? name.size() > other.size() : name > other;
}

struct Sum {
  std::uint64_t bytes = 0;
  std::uint32_t crc = 0;
};

/// Goes on from `begun` to the file's end, or as far as `most` bytes from its beginning.
Sum summed(const std::string& file, Sum begun, std::optional<std::uint64_t> most = {}) {
  std::ifstream in(file, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(begun.bytes));
  std::array<char, 1U << 16U> block;
  while (in && (!most || begun.bytes < *most)) {
    const auto wanted = most ? std::min<std::uint64_t>(block.size(), *most - begun.bytes) : block.size();
    in.read(block.data(), static_cast<std::streamsize>(wanted));
    const auto read = static_cast<std::size_t>(in.gcount());
    begun.crc =
        static_cast<std::uint32_t>(::crc32_z(begun.crc, reinterpret_cast<const Bytef*>(block.data()), read));
    begun.bytes += read;
  }
  return begun;
}

/// After a power cut the MANIFEST must not be shorter than the note says.
bool is_on_disk(const std::string& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool synced = ::fdatasync(descriptor) == 0;
  ::close(descriptor);
  return synced;
}

}  // namespace

rocksdb::Status check_manifest(const std::string& store) {
  std::string name;
  Sum noted;
  if (!(std::ifstream(store + kNote) >> name >> noted.bytes >> noted.crc)) return rocksdb::Status::OK();
  const std::string now = name_in_use(store);
  if (is_later(now, name)) return rocksdb::Status::OK();  // a new one is begun at each opening
  const Sum found = now == name ? summed(store + "/" + name, {}, noted.bytes) : Sum{};
  if (found.bytes == noted.bytes && found.crc == noted.crc) return rocksdb::Status::OK();
  return rocksdb::Status::Corruption(name +
                                     " is not what it was: opened so, files that it named would be removed");
}

void ManifestGuard::note() {
  const std::lock_guard guard(mutex_);
  const std::string name = name_in_use(store_);
  if (name.empty() || !is_on_disk(store_ + "/" + name)) return;
  const Sum now = summed(store_ + "/" + name, name == name_ ? Sum{bytes_, sum_} : Sum{});
  name_ = name, bytes_ = now.bytes, sum_ = now.crc;
  const std::string half = store_ + kNote + ".half";
  std::ofstream out(half, std::ios::trunc);
  out << name << ' ' << now.bytes << ' ' << now.crc << '\n';
  out.close();
  std::error_code ignored;  // without a note the store is only not guarded
  if (out) fs::rename(half, store_ + kNote, ignored);
}

}  // namespace persistence
