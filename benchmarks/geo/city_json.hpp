// CityJSON 1.0, 1.1 and 2.0 (cityjson.org), whole or as a sequence of lines (CityJSONSeq): 3DBAG and others.
//
// A header says the version, the system (metadata.referenceSystem) and how whole numbers become metres
// (transform). CityObjects stand in one list and name their parents; a part's surfaces count to its building.
// A geometry's `boundaries` nest shells, faces, rings and numbers of vertices; `semantics.values` nests in
// the same way down to the faces and says what each is. Of a building's geometries the finest of LoD2 counts,
// one with semantics before one without. Of those without, closed solids count (city_solid.hpp).
#pragma once
#include <string>
#include <string_view>

#include "benchmarks/geo/accuracy_models.hpp"
#include "geo/failure.hpp"

namespace bench {

/// `path` is for the sentences.
geo::Result<BuildingModel> read_city_json(const std::string& path, std::string_view text);

}  // namespace bench
