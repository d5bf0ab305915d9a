// Houses out of vector data sets: points, or areas such as buildings, with the columns that the operator
// names. What a house's own columns do not say, an area that holds it may: a cadastre's houses have a street
// and a number, its parcels the municipality.
#pragma once
#include <functional>
#include <string>

#include "geo/address_import/gathered_houses.hpp"
#include "geo/address_import/row_format.hpp"
#include "geo/address_import/text_rows.hpp"
#include "geo/failure.hpp"

namespace geo {

/// Whether a file's name ends as a vector data set's does; any other is read as text.
bool is_vector_data(const std::string& path);

/// `place`: a data set, a folder of such, or a ZIP. An area's house lies inside it. Houses of areas, and
/// those that lie within others, are left out where they have no number: most buildings have none.
/// invalid_input when a layer or a column is missing, when nobody says the coordinate reference system, and
/// when a data set is damaged.
Result<void> read_vector_houses(const std::string& place, const ColumnMapping& mapping,
                                TextEncoding& encoding, GatheredHouses& houses,
                                const std::function<bool(TextProgress)>& go_on);

}  // namespace geo
