// The contract's Ergebnis: a finished analysis as JSON.
#pragma once
#include <string>

#include "geo/roof_analysis.hpp"
#include "http/links.hpp"
#include "persistence/records.hpp"

namespace http {

std::string ergebnis_json(const persistence::Project& project, const persistence::Run& run,
                          const geo::RoofAnalysis& analysis, const Links& links);

}  // namespace http
