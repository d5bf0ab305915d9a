// The forms in which offices publish their address registers as text tables, a row at a time.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "geo/address_import/gathered_houses.hpp"
#include "geo/address_import/text_rows.hpp"
#include "geo/failure.hpp"

namespace geo {

/// How the rows of a table become houses.
class RowFormat {
 public:
  RowFormat() = default;
  RowFormat(const RowFormat&) = delete;
  RowFormat& operator=(const RowFormat&) = delete;
  virtual ~RowFormat() = default;

  /// Finds the columns by the first row. Whether that is a row of names; invalid_input when columns are
  /// missing.
  virtual Result<bool> read_header(const TextTable& table) = 0;
  virtual void read(const TextRow& row, GatheredHouses& houses) = 0;
};

/// AdV's table of "Hauskoordinaten" (HK-DE, version 5.2) with its 24 columns, more or fewer, with or without
/// names; without them the first twenty are by position, as in North Rhine-Westphalia's "gebref". `crs` is
/// that of rows whose zone is neither a column nor part of the easting; empty: such rows are wrong.
std::unique_ptr<RowFormat> hk_de_format(std::string crs);

/// swisstopo's "amtliches Gebäudeadressverzeichnis" (LV95).
std::unique_ptr<RowFormat> swisstopo_format();

/// Any table with a row of names, or layers of a vector data set.
struct ColumnMapping {
  /// Columns whose cells are put together; one in single quotes is a text that all rows have.
  using Columns = std::vector<std::string>;
  Columns street, number, postcode, town, also_in, country, x, y;
  std::string crs;           ///< "EPSG:25832"
  std::string country_code;  ///< of all rows; empty: the column says it, or nothing does
  std::string layer;         ///< of a vector data set, the houses'; empty: the first
  std::string within;        ///< a layer of areas: a house has the columns of the one that holds it, too
  std::string where;         ///< of a vector data set, which features: a condition, as OGR's SQL has it
};
/// "street=STR,number=HNR+ADZ,x=OST,y=NORD,crs=25832" and postcode, town, also, country (a column, or AT, DE,
/// CH), lon and lat instead of x, y and crs; of vector data sets layer, within and where. An empty text is
/// the form that a catalogue may name without an import: strasse, hausnummer, plz, ort, land, lon, lat.
/// invalid_input for what it does not know.
Result<ColumnMapping> column_mapping(const std::string& text);
std::unique_ptr<RowFormat> mapped_format(ColumnMapping mapping);
bool is_constant(std::string_view column);  ///< "'Hamburg'"

/// The sentence that refuses a table for want of a column.
std::string missing_column(const std::string& path, const std::vector<std::string>& columns,
                           const std::string& name);
/// The place of a name among a table's columns, whatever its case.
std::optional<std::size_t> column_named(const std::vector<std::string>& columns, std::string_view name);
/// "12" and "a" are "12a"; "12" and "1/2" are "12 1/2"; "007" is "7".
std::string whole_number(std::string_view number, std::string_view addition);
/// Appends a name of the house's place, unless it has it already.
void add_name(House& house, std::string_view name);

}  // namespace geo
