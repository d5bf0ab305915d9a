// geodata.json of the sample region: the catalogue through which tests, benchmarks and operators reach its
// data sets.
#pragma once
#include <string>

#include "geo/failure.hpp"

namespace geo::sample {

/// `place`: the invented place's name; `cell_m`: of the height models. invalid_input when the file cannot be
/// written.
Result<void> write_catalogue(const std::string& path, const std::string& place, double cell_m);

}  // namespace geo::sample
