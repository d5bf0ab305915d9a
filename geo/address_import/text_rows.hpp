// Rows of a text table as offices write them: any delimiter, quotes, CRLF, a BOM; UTF-8 or Windows-1252, of
// which Latin-1 is a part; also out of a ZIP (GDAL's /vsizip/). The cells are cut by libcsv.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "geo/failure.hpp"

namespace geo {

/// One row's cells, in UTF-8, without spaces around them. They hold until the next row.
class TextRow {
 public:
  std::size_t size() const { return ends_.size(); }
  /// Empty beyond the last.
  std::string_view operator[](std::size_t column) const {
    if (column >= ends_.size()) return {};
    const std::size_t begin = column == 0 ? 0 : ends_[column - 1];
    return std::string_view(bytes_).substr(begin, ends_[column] - begin);
  }
  std::size_t line() const { return line_; }  ///< 1 is the first row

  void add(std::string_view cell) {
    bytes_ += cell;
    ends_.push_back(bytes_.size());
  }
  void begin_next() {
    clear();
    ++line_;
  }
  void clear() {
    bytes_.clear();
    ends_.clear();
  }
  std::string_view bytes() const { return bytes_; }

 private:
  std::string bytes_;
  std::vector<std::size_t> ends_;
  std::size_t line_ = 1;
};

struct TextTable {
  std::string path;  ///< ready for GDAL's files
  char delimiter = ';';
  std::vector<std::string> first_row;
};

/// A ZIP's members, or a folder's files, by name: paths for GDAL. Of anything else the path alone.
enum class Inside { files, zips_too };  ///< of a ZIP: also the members of ZIPs in it
std::vector<std::string> files_at(const std::string& place, Inside inside = Inside::files);

/// A file, or each table (.csv, .txt) of a ZIP, by name. invalid_input when there is none that can be read.
Result<std::vector<TextTable>> text_tables(const std::string& path);
/// The table of this name, whatever its case, in a folder or a ZIP; also "X.csv" in a folder of it.
Result<TextTable> text_table_in(const std::string& place, const std::string& name);
/// The delimiter and the first row. invalid_input when the file cannot be read or is empty.
Result<TextTable> text_table(const std::string& path);

/// What is known while a table is read.
struct TextProgress {
  std::uint64_t bytes = 0, of_bytes = 0;
};

/// Which encoding the rows so far have shown; a register has only one.
class TextEncoding {
 public:
  /// Brings the row into UTF-8; the sentence that refuses it when it cannot be.
  std::string read(TextRow& row);
  const char* name() const { return first_other_line_ ? "Windows-1252" : "UTF-8"; }

 private:
  std::size_t first_utf8_line_ = 0, first_other_line_ = 0;
};

/// Calls `take` for every row, and `go_on` now and then, which ends the reading when it is false (cancelled).
/// invalid_input, with the line, for an encoding that is none or a second one, and for a quote that never
/// ends.
Result<void> read_rows(const TextTable& table, TextEncoding& encoding,
                       const std::function<void(const TextRow&)>& take,
                       const std::function<bool(TextProgress)>& go_on);

}  // namespace geo
