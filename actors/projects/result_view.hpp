// The parts of a finished analysis from which the HTTP layer renders the contract's Ergebnis.
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
