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

/// What was noted of a MANIFEST. One line; the sum of its words stands at the end.
struct Note {
  std::string name;
  Sum sum;

  std::string words() const { return name + ' ' + std::to_string(sum.bytes) + ' ' + std::to_string(sum.crc); }
  std::string line() const { return words() + ' ' + std::to_string(sum_of(words())) + '\n'; }
  static std::uint32_t sum_of(const std::string& text) {
    return static_cast<std::uint32_t>(::crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size()));
  }
};

/// None where there is no note or a damaged one, which says nothing of the MANIFEST.
std::optional<Note> read_note(const std::string& store) {
  Note note;
  std::uint32_t own = 0;
  if (!(std::ifstream(store + kNote) >> note.name >> note.sum.bytes >> note.sum.crc >> own)) return {};
  return own == Note::sum_of(note.words()) ? std::optional(note) : std::nullopt;
}

bool is_on_disk(const std::string& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool synced = ::fdatasync(descriptor) == 0;
  ::close(descriptor);
  return synced;
}

}  // namespace

rocksdb::Status check_manifest(const std::string& store) {
  const auto noted = read_note(store);
  const std::string now = name_in_use(store);
  // A new one is begun at each opening.
  if (!noted || is_later(now, noted->name)) return rocksdb::Status::OK();
  const Sum found = now == noted->name ? summed(store + "/" + now, {}, noted->sum.bytes) : Sum{};
  if (found.bytes == noted->sum.bytes && found.crc == noted->sum.crc) return rocksdb::Status::OK();
  return rocksdb::Status::Corruption(noted->name + " is not what it was (" + (kNote + 1) +
                                     "): opened so, files that it named would be removed");
}

/// After a power cut the MANIFEST must not be shorter than the note says: so it is summed first, and noted
/// only when all that was summed is on the disk.
void ManifestGuard::note() {
  const std::lock_guard guard(mutex_);
  const std::string name = name_in_use(store_);
  if (name.empty()) return;
  const Sum now = summed(store_ + "/" + name, name == name_ ? Sum{bytes_, sum_} : Sum{});
  if (!is_on_disk(store_ + "/" + name)) return;
  name_ = name, bytes_ = now.bytes, sum_ = now.crc;
  const std::string half = store_ + kNote + ".half";
  std::ofstream out(half, std::ios::trunc);
  out << Note{name, now}.line();
  out.close();
  // Not synced: a note that a power cut has spoilt does not fit its own sum, and only guards nothing.
  std::error_code ignored;
  if (out) fs::rename(half, store_ + kNote, ignored);
}

}  // namespace persistence
