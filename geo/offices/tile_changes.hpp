// New files under old URLs, where a listing tells neither sizes nor sums: the office is asked for each file's
// ETag.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "geo/fetch/fetcher.hpp"
#include "geo/offices/plan.hpp"
#include "geo/run_control.hpp"

namespace geo::offices {

struct TileChanges {
  std::vector<std::size_t> files;  ///< that are others now, by their place among the set's
  std::string failure;             ///< why the office could not be asked for all; empty: it could
};

/// `etags`: those of the files as they came.
TileChanges look_for_changes(const SetPlan& set, const std::map<std::size_t, std::string>& etags,
                             Fetcher& fetcher, const RunControl& control);

}  // namespace geo::offices
