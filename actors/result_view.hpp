// What a finished analysis is rendered from; the HTTP layer makes the contract's Ergebnis of it.
#pragma once
#include <functional>
#include <string>

#include "geo/roof_analysis.hpp"
#include "persistence/records.hpp"

namespace actors {

struct ResultView {
  const persistence::Project& project;
  const persistence::Run& run;
  const geo::RoofAnalysis& analysis;
};

using RenderResult = std::function<std::string(const ResultView&)>;

}  // namespace actors
