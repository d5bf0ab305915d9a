// The folder in which a catalogue lies and all that `roofd geodata` makes:
//
//   geodata.json           the operator's own entries; never changed
//   geodata.d/de-nw.json   a region's entries, made here
//   de-nw-dsm.gpkg         a set's tile index           tiles/de-nw-dsm/356_5699_2020.tif   its tiles
//   de-nw-buildings.gpkg   outlines                     de-nw-addresses.addr                addresses
//   listings/              what the offices listed      recipes/*.json                      the operator's
//   recipes downloads/             what is under way            geodata.lock                        held by
//   who changes this
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "geo/failure.hpp"
#include "geo/offices/recipe.hpp"

namespace geo::offices {

struct DataFolder {
  std::filesystem::path catalogue;

  std::filesystem::path root() const {
    return catalogue.has_parent_path() ? catalogue.parent_path() : std::filesystem::path(".");
  }
  std::filesystem::path entries_folder() const;
  std::filesystem::path entries_of(const std::string& recipe_id) const {
    return entries_folder() / (recipe_id + ".json");
  }
  std::filesystem::path index_of(const Source& source) const { return root() / (source.id + ".gpkg"); }
  std::filesystem::path addresses_of(const Source& source) const { return root() / (source.id + ".addr"); }
  std::filesystem::path tiles_of(const Source& source) const { return root() / "tiles" / source.id; }
  std::filesystem::path downloads() const { return root() / "downloads"; }
  std::filesystem::path listings() const { return root() / "listings"; }
  std::filesystem::path recipes() const { return root() / "recipes"; }
  /// Free for us on its disk, also while the folder is not made yet; 0 when that cannot be told.
  std::uint64_t free_bytes() const;
  /// A file in `downloads` for a URL: readable, and another for each URL.
  std::filesystem::path download_of(const std::string& url) const;
};

/// A name for a URL that is safe in every folder: letters, digits, dots and hyphens, and a hash.
std::string file_name_of(const std::string& url);

/// Writes a file whole or not at all. Fails as not_written() says (disk.hpp).
Result<void> write_whole(const std::filesystem::path& file, const std::string& text);

/// One process at a time may change a folder. Given back when it ends, however it ends.
class FolderLock {
 public:
  /// data_overloaded when another holds it; fails as not_written() says when the folder cannot be written.
  static Result<FolderLock> take(const DataFolder& folder);
  FolderLock(FolderLock&& other) noexcept : file_(other.file_) { other.file_ = -1; }
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

 private:
  explicit FolderLock(int file) : file_(file) {}
  int file_;
};

}  // namespace geo::offices
