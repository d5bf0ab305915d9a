// An address index on disk: an SQLite database with one table of pages, written once and then only read.
// SQLite has the tree that finds a page, and a page cache of a fixed size.
//   application_id  'RADR'; user_version is the version of what the pages hold
//   pages(id INTEGER PRIMARY KEY, bytes BLOB)    the bytes end with the CRC-32 of id and bytes
// Readers do not map the file: a file that is cut off while it is open would kill the program.
#pragma once
#include <memory>
#include <string>

#include "geo/addresses/pages.hpp"
#include "geo/failure.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace geo {

inline constexpr int kAddressIndexVersion = 1;

/// Whether the file is an address index, of whatever version, by its first bytes.
bool is_address_index(const std::string& path);

/// Opens one for reading. invalid_input, with a sentence that says what to do, for a file that is none, is of
/// another version or is not complete.
Result<std::unique_ptr<AddressPages>> open_address_index(const std::string& path);

/// Writes one beside `path` and puts it there when it is finished, in one step: whoever reads the old file
/// goes on with it. Without finish() nothing stays.
class AddressIndexWriter {
 public:
  /// invalid_input when it cannot be written, or someone else is writing it.
  static Result<std::unique_ptr<AddressIndexWriter>> create(const std::string& path);
  AddressIndexWriter(const AddressIndexWriter&) = delete;
  AddressIndexWriter& operator=(const AddressIndexWriter&) = delete;
  ~AddressIndexWriter();

  /// Ascending. What fails is told by finish().
  void add(PageId id, std::string_view bytes);
  Result<void> finish();

 private:
  explicit AddressIndexWriter(std::string path);
  bool run(const char* sql);
  void note_failure();
  void close_database();

  std::string path_, part_;
  int lock_ = -1;
  sqlite3* database_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
  std::string bytes_, failure_;
};

}  // namespace geo
