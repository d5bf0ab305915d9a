#include "geo/data/data_identity.hpp"

#include <gdal.h>
#include <ogr_srs_api.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

#include "geo/data/tile_index.hpp"

namespace geo {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kReadWhole_bytes = 64U << 20U;
constexpr std::uintmax_t kBlocks = 1024;
constexpr std::size_t kBlock_bytes = 64U << 10U;

class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new()) { EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr); }
  void add(const void* bytes, std::size_t size) { EVP_DigestUpdate(context_.get(), bytes, size); }
  void add(const std::string& text) { add(text.c_str(), text.size() + 1); }
  /// The first 16 bytes, in hexadecimal digits.
  std::string text() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> made{};
    EVP_DigestFinal_ex(context_.get(), made.data(), nullptr);
    std::string digits;
    for (int i = 0; i < 16; ++i) {
      constexpr char kDigits[] = "0123456789abcdef";
      digits += kDigits[made[static_cast<std::size_t>(i)] >> 4U];
      digits += kDigits[made[static_cast<std::size_t>(i)] & 15U];
    }
    return digits;
  }

 private:
  struct Deleter {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  };
  std::unique_ptr<EVP_MD_CTX, Deleter> context_;
};

/// False when the file cannot be read.
bool add_file(Sha256& digest, const fs::path& path) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  std::ifstream in(path, std::ios::binary);
  if (error || !in) return false;
  digest.add(std::to_string(size));
  std::vector<char> block(kBlock_bytes);
  const std::uintmax_t blocks = size <= kReadWhole_bytes ? (size + kBlock_bytes - 1) / kBlock_bytes : kBlocks;
  for (std::uintmax_t i = 0; i < blocks; ++i) {
    const std::uintmax_t at = size <= kReadWhole_bytes ? i * kBlock_bytes
                                                       : (size - kBlock_bytes) / (kBlocks - 1) *
                                                             i;  // the first and the last among them
    in.seekg(static_cast<std::streamoff>(at));
    in.read(block.data(), static_cast<std::streamsize>(block.size()));
    if (in.bad()) return false;
    digest.add(block.data(), static_cast<std::size_t>(in.gcount()));
    in.clear();
  }
  return true;
}

/// Some formats are folders. A folder in them that cannot be read is a failure: without it the digest would
/// be another.
Result<std::vector<fs::path>> files_of(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return std::vector<fs::path>{path};
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator it(path, error), end; !error && it != end; it.increment(error))
    if (std::error_code of_entry; it->is_regular_file(of_entry)) files.push_back(it->path());
  if (error)
    return fail(FailureKind::invalid_input,
                path + ": not all of this folder can be read (" + error.message() + ")");
  std::sort(files.begin(), files.end());
  return files;
}

/// Data elsewhere may lie elsewhere on each machine.
std::string name_beside(const fs::path& folder, const fs::path& file) {
  const fs::path name = fs::absolute(file).lexically_normal().lexically_relative(folder.lexically_normal());
  return name.empty() || *name.begin() == ".." ? file.filename().string() : name.string();
}

/// Of the tiles on this machine their names and sizes: their bytes would take hours to read. One that the
/// index names and that is not here makes a difference as well.
Result<void> add_tiles(Sha256& digest, const DataSet& set) {
  const auto index = TileIndex::open(set.path, set.crs);
  if (!index) return tl::make_unexpected(index.error());
  const auto tiles = index->touching(index->bounds(), index->size());
  if (!tiles) return tl::make_unexpected(tiles.error());
  for (const Tile& tile : *tiles) {
    const std::string path = index->path_of(tile, false);
    if (path.empty()) continue;  // read at the office
    std::error_code missing;
    const std::uintmax_t size = fs::file_size(path, missing);
    digest.add(tile.location);
    digest.add(missing ? "missing" : std::to_string(size));
  }
  return {};
}

Result<std::string> with_tiles(Sha256& digest, const Catalogue& catalogue) {
  for (std::size_t kind = 0; kind < kDataKinds; ++kind)
    for (const DataSet& set : catalogue.of(static_cast<DataKind>(kind)))
      if (const auto added = set.tiled ? add_tiles(digest, set) : Result<void>(); !added)
        return tl::make_unexpected(added.error());
  return digest.text();
}

}  // namespace

Result<std::string> digest_of(const Catalogue& catalogue) {
  Sha256 digest;
  if (catalogue.files().empty()) return digest.text();
  const fs::path folder = fs::absolute(catalogue.files().front()).parent_path();
  for (const std::string& path : catalogue.files()) {
    const auto files = files_of(path);
    if (!files) return tl::make_unexpected(files.error());
    for (const fs::path& file : *files) {
      digest.add(name_beside(folder, file));
      if (!add_file(digest, file)) return fail(FailureKind::invalid_input, file.string() + " cannot be read");
    }
  }
  return with_tiles(digest, catalogue);
}

std::string library_versions() {
  std::array<int, 3> proj{};
  OSRGetPROJVersion(&proj[0], &proj[1], &proj[2]);
  return std::string("GDAL ") + GDALVersionInfo("RELEASE_NAME") + ", PROJ " + std::to_string(proj[0]) + "." +
         std::to_string(proj[1]) + "." + std::to_string(proj[2]);
}

}  // namespace geo
