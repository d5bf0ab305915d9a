// Solids whose faces have no names, as some offices and programs for drawing ship them: which faces are
// roofs.
#pragma once
#include <vector>

#include "benchmarks/geo/city_builder.hpp"

namespace bench {

/// The faces of a shell that look up and are no walls (80 degrees and steeper). None where the shell is not
/// closed or its faces do not look to one side, all out or all in: then nobody knows which of them look up.
std::vector<const CityPolygon*> faces_that_look_up(const std::vector<CityPolygon>& shell);

}  // namespace bench
