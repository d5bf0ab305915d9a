// Houses out of vector data sets: points, or areas such as buildings, with the columns that the operator
// names. What a house's own columns do not say, an area that holds it may: a cadastre's houses have a street
// and a number, its parcels the municipality.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "geo/address_import/gathered_houses.hpp"
#include "geo/address_import/row_format.hpp"
#include "geo/address_import/text_rows.hpp"
#include "geo/failure.hpp"

namespace geo {

/// Whether a file's name ends as a vector data set's does; any other is read as text.
bool is_vector_data(const std::string& path);

/// A layer's name as a file's: small letters, and "_" for all but ASCII letters, digits and hyphens.
std::string plain_layer_name(std::string name);
/// Whether a layer, or a shapefile by its name without the ending, is the one that is wanted, by their plain
/// names. Of shapes also "3438-000_flurstueck" is "Flurstueck"; "nutzungflurstueck" is another.
bool is_layer_called(const std::string& name, const std::string& wanted, bool is_shape);

/// Reads an office's packets one after the other. Areas are held in memory for one packet: some 400 bytes a
/// parcel.
class VectorHouses {
 public:
  using GoOn = std::function<bool(TextProgress)>;  ///< counts features; false stops
  VectorHouses(ColumnMapping mapping, GatheredHouses& houses)
      : mapping_(std::move(mapping)), houses_(houses) {}

  /// `place`: a data set, a folder of such, or a ZIP, also one with ZIPs in it. An area's house lies inside
  /// it. Houses of areas, and those that lie within others, are left out where they have no number: most
  /// buildings have none. A column that a layer has not is empty there: GeoJSON names only those that it
  /// needs. invalid_input when a layer or a column of the condition is missing, when nobody says the
  /// coordinate reference system, and when a data set is damaged.
  Result<void> read(const std::string& place, const GoOn& go_on);
  /// After the last of them. invalid_input when a column was in no layer; the sentence is about `place`.
  Result<void> finish(const std::string& place) const;

 private:
  ColumnMapping mapping_;
  GatheredHouses& houses_;
  std::vector<std::string> seen_;   // columns that were in some layer
  std::vector<std::string> first_;  // all of the first layer's
};

}  // namespace geo
