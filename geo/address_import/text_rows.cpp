#include "geo/address_import/text_rows.hpp"

#include <cpl_string.h>
#include <cpl_vsi.h>
#include <csv.h>
#include <simdjson.h>
#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>

#include "geo/lower_case.hpp"

namespace geo {
namespace {

constexpr std::size_t kBlock_bytes = std::size_t{1} << 20U;
constexpr std::size_t kLongestRow_bytes = std::size_t{1} << 16U;

struct CloseFile {
  void operator()(VSILFILE* file) const { VSIFCloseL(file); }
};
using File = std::unique_ptr<VSILFILE, CloseFile>;

bool is_folder(const std::string& path) {
  VSIStatBufL status;
  return VSIStatL(path.c_str(), &status) == 0 && VSI_ISDIR(status.st_mode);
}
bool is_zip(const std::string& path) {
  const File file(VSIFOpenL(path.c_str(), "rb"));
  std::array<char, 4> begin{};
  return file && VSIFReadL(begin.data(), 1, begin.size(), file.get()) == begin.size() && begin[0] == 'P' &&
         begin[1] == 'K' && begin[2] == 3 && begin[3] == 4;
}
/// Of ZIPs in ZIPs only the first few levels: one that holds itself would never end.
void append_files(const std::string& place, int levels_left, std::vector<std::string>& files) {
  const bool packed = is_zip(place);
  if (!packed && !is_folder(place)) return files.push_back(place);
  const std::string root = packed ? "/vsizip/{" + place + "}" : place;
  const std::unique_ptr<char*, decltype(&CSLDestroy)> names(VSIReadDirRecursive(root.c_str()), CSLDestroy);
  for (char** name = names.get(); name && *name; ++name) {
    const std::string path = root + "/" + *name;
    if (packed && levels_left > 0 && lower_case(path).ends_with(".zip"))
      append_files(path, levels_left - 1, files);
    else
      files.push_back(path);
  }
}

std::string without_bom(std::string bytes) {
  constexpr std::string_view kBom = "\xEF\xBB\xBF";
  if (bytes.starts_with(kBom)) bytes.erase(0, kBom.size());
  return bytes;
}

/// Of the characters that offices put between cells, the one that the line has most of outside quotes.
char delimiter_of(std::string_view line) {
  constexpr std::string_view kDelimiters = ";,\t|";
  std::array<std::size_t, kDelimiters.size()> counts{};
  bool quoted = false;
  for (const char c : line) {
    quoted ^= c == '"';
    if (const auto at = kDelimiters.find(c); !quoted && at != kDelimiters.npos) ++counts[at];
  }
  return kDelimiters[static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) -
                                              counts.begin())];
}

/// libcsv, fed with blocks.
class RowCutter {
 public:
  RowCutter(char delimiter, const std::function<void(TextRow&)>& take) : take_(take) {
    csv_init(&parser_, 0);
    csv_set_delim(&parser_, static_cast<unsigned char>(delimiter));
  }
  RowCutter(const RowCutter&) = delete;
  RowCutter& operator=(const RowCutter&) = delete;
  ~RowCutter() { csv_free(&parser_); }

  /// False: a row is too long, which a quote that never ends makes of all that follow.
  bool feed(std::string_view bytes) {
    return csv_parse(&parser_, bytes.data(), bytes.size(), on_cell, on_row, this) == bytes.size() &&
           parser_.entry_pos <= kLongestRow_bytes && row_.bytes().size() <= kLongestRow_bytes;
  }
  /// False: the last cell's quote does not end.
  bool finish() {
    constexpr int kInsideCell = 2;  // of the states that libcsv does not name outside
    const bool open = parser_.quoted && parser_.pstate == kInsideCell;
    csv_fini(&parser_, on_cell, on_row, this);
    return !open;
  }
  std::size_t line() const { return row_.line(); }

 private:
  static void on_cell(void* bytes, std::size_t length, void* self) {
    static_cast<RowCutter*>(self)->row_.add({static_cast<const char*>(bytes), length});
  }
  static void on_row(int, void* self) {
    auto* cutter = static_cast<RowCutter*>(self);
    cutter->take_(cutter->row_);
    cutter->row_.begin_next();
  }
  const std::function<void(TextRow&)>& take_;
  csv_parser parser_{};
  TextRow row_;
};

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

/// Nothing for the five bytes that Windows-1252 does not have.
std::optional<std::string> from_windows_1252(std::string_view text) {
  constexpr std::array<std::uint16_t, 32> kFrom0x80 = {
      0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
      0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
      0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};
  std::string utf8;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const std::int32_t letter = byte >= 0x80 && byte < 0xA0 ? kFrom0x80[byte - 0x80U] : byte;
    if (letter == 0 && byte != 0) return {};
    std::array<utf8proc_uint8_t, 4> bytes{};
    const auto length = utf8proc_encode_char(letter, bytes.data());
    utf8.append(reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(length));
  }
  return utf8;
}

}  // namespace

std::vector<std::string> files_at(const std::string& place, Inside inside) {
  constexpr int kLevels = 2;
  std::vector<std::string> files;
  append_files(place, inside == Inside::zips_too ? kLevels : 0, files);
  std::sort(files.begin(), files.end());
  return files;
}

Result<TextTable> text_table(const std::string& path) {
  const File file(VSIFOpenL(path.c_str(), "rb"));
  if (!file) return fail(FailureKind::invalid_input, path + ": cannot be opened");
  std::string begin(kLongestRow_bytes, '\0');
  begin.resize(VSIFReadL(begin.data(), 1, begin.size(), file.get()));
  if (begin.starts_with("\xFF\xFE") || begin.starts_with("\xFE\xFF"))
    return fail(FailureKind::invalid_input, path + ": is UTF-16; iconv -f UTF-16 -t UTF-8 makes it readable");
  begin = without_bom(std::move(begin));
  const auto end = begin.find_first_of("\r\n");
  if (end == 0 || begin.empty())
    return fail(FailureKind::invalid_input, path + ": begins with an empty line");
  begin.resize(std::min(end, begin.size()));
  TextTable table{path, delimiter_of(begin), {}};
  const std::function<void(TextRow&)> take = [&](TextRow& row) {
    for (std::size_t i = 0; i < row.size(); ++i) table.first_row.emplace_back(row[i]);
  };
  RowCutter cutter(table.delimiter, take);
  cutter.feed(begin);
  cutter.finish();
  return table;
}

Result<std::vector<TextTable>> text_tables(const std::string& path) {
  std::vector<std::string> paths{path};
  if (is_folder(path)) return fail(FailureKind::invalid_input, path + ": is a folder, and a file is wanted");
  if (is_zip(path)) {
    paths = files_at(path);
    std::erase_if(paths, [](const std::string& member) {
      const std::string small = lower_case(member);
      return !small.ends_with(".csv") && !small.ends_with(".txt");
    });
    if (paths.empty()) return fail(FailureKind::invalid_input, path + ": has no .csv and no .txt in it");
  }
  std::vector<TextTable> tables;
  std::optional<Failure> unreadable;
  for (const std::string& one : paths) {
    auto table = text_table(one);
    if (table)
      tables.push_back(std::move(*table));
    else if (!unreadable)
      unreadable = table.error();
  }
  if (tables.empty()) return tl::make_unexpected(*unreadable);
  return tables;
}

Result<TextTable> text_table_in(const std::string& place, const std::string& name) {
  const std::string end = "/" + lower_case(name);
  for (const std::string& path : files_at(place))
    if (lower_case(path).ends_with(end)) return text_table(path);
  return fail(FailureKind::invalid_input, place + ": has no " + name);
}

std::string TextEncoding::read(TextRow& row) {
  if (is_ascii(row.bytes())) return {};
  const bool utf8 = simdjson::validate_utf8(row.bytes().data(), row.bytes().size());
  std::size_t& first = utf8 ? first_utf8_line_ : first_other_line_;
  if (first == 0) first = row.line();
  if (first_utf8_line_ && first_other_line_)
    return "line " + std::to_string(first_utf8_line_) + " is UTF-8 and line " +
           std::to_string(first_other_line_) + " is not: a register has one encoding";
  if (utf8) return {};
  TextRow recoded = row;
  recoded.clear();
  for (std::size_t i = 0; i < row.size(); ++i) {
    const auto cell = from_windows_1252(row[i]);
    if (!cell) return "line " + std::to_string(row.line()) + " is neither UTF-8 nor Windows-1252";
    recoded.add(*cell);
  }
  row = std::move(recoded);
  return {};
}

Result<void> read_rows(const TextTable& table, TextEncoding& encoding,
                       const std::function<void(const TextRow&)>& take,
                       const std::function<bool(TextProgress)>& go_on) {
  const auto refuse = [&](const std::string& why) {
    return fail(FailureKind::invalid_input, table.path + ": " + why);
  };
  const File file(VSIFOpenL(table.path.c_str(), "rb"));
  VSIStatBufL status{};
  if (!file || VSIStatL(table.path.c_str(), &status) != 0) return refuse("cannot be opened");
  TextProgress progress{0, static_cast<std::uint64_t>(status.st_size)};
  std::string fault;
  const std::function<void(TextRow&)> take_utf8 = [&](TextRow& row) {
    if (!fault.empty()) return;
    fault = encoding.read(row);
    if (fault.empty()) take(row);
  };
  RowCutter cutter(table.delimiter, take_utf8);
  const auto endless = [&cutter] {
    return "line " + std::to_string(cutter.line()) + " does not end: is a quote open?";
  };
  std::string block;
  for (bool first = true;; first = false) {
    block.resize(kBlock_bytes);
    block.resize(VSIFReadL(block.data(), 1, block.size(), file.get()));
    if (block.empty()) break;
    progress.bytes += block.size();
    if (first) block = without_bom(std::move(block));
    if (!cutter.feed(block)) return refuse(endless());
    if (!fault.empty()) return refuse(fault);
    if (!go_on(progress)) return fail(FailureKind::cancelled, table.path + ": the import was stopped");
  }
  // A member of a ZIP that cannot be inflated ends early.
  if (progress.bytes < progress.of_bytes) return refuse("cannot be read to its end");
  if (!cutter.finish()) return refuse(endless());
  if (!fault.empty()) return refuse(fault);
  return {};
}

}  // namespace geo
