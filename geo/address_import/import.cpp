#include "geo/address_import/import.hpp"

#include <optional>

#include "geo/address_import/bev.hpp"
#include "geo/address_import/gathered_houses.hpp"
#include "geo/address_import/row_format.hpp"
#include "geo/address_import/text_rows.hpp"
#include "geo/address_import/vector_rows.hpp"
#include "geo/addresses/index_file.hpp"

namespace geo {
namespace {

constexpr std::uint64_t kPagesPerReport = 10'000;

/// "hk-de:crs=25832" is "hk-de" and "crs=25832".
std::pair<std::string, std::string> kind_and_details(const std::string& as) {
  const auto colon = std::min(as.find(':'), as.size());
  return {as.substr(0, colon), as.substr(std::min(colon + 1, as.size()))};
}

/// The system that "crs=25832" states; empty for nothing.
Result<std::string> stated_crs(const std::string& as, const std::string& details) {
  if (details.empty()) return std::string();
  const std::string code = details.starts_with("crs=") ? details.substr(4) : std::string();
  const std::string crs = code.find(':') == code.npos ? "EPSG:" + code : code;
  if (code.empty() || !coordinate_system(crs))
    return fail(FailureKind::invalid_input, "--as=" + as + ": is not of the form hk-de:crs=25832");
  return crs;
}

class Importer {
 public:
  Importer(const AddressImport& import, const std::function<bool(const ImportProgress&)>& go_on)
      : import_(import), go_on_(go_on) {}

  Result<std::string> run() {
    // First of all, so that hours of reading do not end at a folder that cannot be written.
    auto writer = AddressIndexWriter::create(import_.out);
    if (!writer) return tl::make_unexpected(writer.error());
    for (const std::string& file : import_.files) {
      const auto ready = import_.made_ready ? import_.made_ready(file) : Result<std::string>(file);
      if (!ready) return tl::make_unexpected(ready.error());
      const auto read = read_file(*ready, file);
      if (houses_.is_hopeless()) break;
      if (!read) return tl::make_unexpected(about(file, *ready, read.error()));
    }
    if (vector_)
      if (const auto whole = vector_->finish(all_files()); !whole) return tl::make_unexpected(whole.error());
    auto note = houses_.finish(encoding_.name());
    if (!note) return note;
    std::uint64_t pages = 0;
    bool goes_on = true;
    houses_.index().write([&](PageId id, std::string_view bytes) {
      if (++pages % kPagesPerReport == 0) goes_on = goes_on && go_on_({"writing", pages, 0, houses_.rows()});
      if (goes_on) (*writer)->add(id, bytes);
    });
    if (!goes_on) return fail(FailureKind::cancelled, import_.out + ": the import was stopped");
    if (const auto finished = (*writer)->finish(); !finished) return tl::make_unexpected(finished.error());
    return import_.out + ": " + *note;
  }

 private:
  /// What a sentence about all files is about: none of them alone is to blame.
  std::string all_files() const {
    const auto& files = import_.files;
    return files.size() == 1 ? files.front() : "the " + std::to_string(files.size()) + " files together";
  }

  /// The failure, of the packet that came and not of the place where it was made ready.
  static Failure about(const std::string& packet, const std::string& ready, Failure failure) {
    if (failure.text.starts_with(ready)) failure.text.replace(0, ready.size(), packet);
    return failure;
  }

  /// `packet`: what `file` was before it was made ready.
  Result<void> read_file(const std::string& file, const std::string& packet) {
    const auto [kind, details] = kind_and_details(import_.as);
    const std::function<bool(TextProgress)> go_on = [this](TextProgress read) {
      return !houses_.is_hopeless() && go_on_({"reading", read.bytes, read.of_bytes, houses_.rows()});
    };
    if (kind == "bev" && details.empty()) return read_bev(file, encoding_, houses_, go_on);
    if (kind == "swisstopo" && details.empty()) return read_tables(file, *swisstopo_format(), go_on);
    if (kind == "hk-de" || kind == "gebref") {
      auto crs = stated_crs(import_.as, details);
      return crs ? read_tables(file, *hk_de_format(std::move(*crs)), go_on)
                 : tl::make_unexpected(crs.error());
    }
    if (kind == "csv" || kind == "vector") {
      auto mapping = column_mapping(details);
      if (!mapping) return tl::make_unexpected(mapping.error());
      houses_.begin_file(packet);
      if (kind == "vector" || is_vector_data(file)) return read_vector(file, *mapping, go_on);
      if (!mapping->layer.empty() || !mapping->within.empty() || !mapping->where.empty())
        return fail(FailureKind::invalid_input,
                    packet + ": is a table; layer, within and where are of vector data sets");
      if (mapping->x.empty() || mapping->crs.empty())
        return fail(FailureKind::invalid_input,
                    "--as=" + import_.as + ": names no x, y and crs, and no lon and lat");
      return read_tables(file, *mapped_format(std::move(*mapping)), go_on);
    }
    return fail(FailureKind::invalid_input,
                "--as=" + import_.as +
                    ": is none of hk-de, gebref, bev, swisstopo, csv:street=... and vector:street=...");
  }

  Result<void> read_vector(const std::string& file, const ColumnMapping& mapping,
                           const std::function<bool(TextProgress)>& go_on) {
    if (!vector_) vector_.emplace(mapping, houses_);
    return vector_->read(file, go_on);
  }

  Result<void> read_tables(const std::string& file, RowFormat& format,
                           const std::function<bool(TextProgress)>& go_on) {
    const auto tables = text_tables(file);
    if (!tables) return tl::make_unexpected(tables.error());
    std::optional<Failure> other_form;  // of a ZIP's members: lists of keys, what the columns mean
    bool found = false;
    for (const TextTable& table : *tables) {
      const auto has_names = format.read_header(table);
      if (!has_names) {
        if (!other_form) other_form = has_names.error();
        continue;
      }
      found = true;
      houses_.begin_file(table.path);
      auto read = read_rows(
          table, encoding_,
          [&](const TextRow& row) {
            if (row.line() > 1 || !*has_names) format.read(row, houses_);
          },
          go_on);
      if (!read) return read;
    }
    return found || !other_form ? Result<void>() : tl::make_unexpected(*other_form);
  }

  const AddressImport& import_;
  const std::function<bool(const ImportProgress&)>& go_on_;
  TextEncoding encoding_;
  GatheredHouses houses_;
  std::optional<VectorHouses> vector_;
};

}  // namespace

Result<std::string> import_addresses(const AddressImport& import,
                                     const std::function<bool(const ImportProgress&)>& go_on) {
  return Importer(import, go_on).run();
}

}  // namespace geo
