// Whether a run can use a data set: what the operator's check asks of each entry of the catalogue, before a
// client's run meets it.
#pragma once
#include "geo/data/catalogue.hpp"
#include "geo/data/geodata.hpp"
#include "geo/failure.hpp"

namespace geo {

/// Opens the data set as a run does and reads one place of it. Fails with invalid_input, data_unreachable or
/// data_overloaded, and one sentence that names the data set's path.
Result<void> check_data_set(const DataSet& set);

/// Fails with invalid_input when no house of the register lies in a surface model. Then the register is
/// another town's or in another coordinate system, and every run would fail.
Result<void> check_houses(const Geodata& geodata);

}  // namespace geo
