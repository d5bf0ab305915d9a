// The data sets that a result rests on, and what must be named with it.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace geo {

struct DataSet;

/// A data set that the figures rest on, with what must be named when they are passed on.
struct Source {
  std::string kind;  ///< as in the catalogue: dsm, dtm, ...; "climate" for the built-in climatology
  std::string name, provider, licence, attribution, url;
  std::optional<int> year;
  std::optional<double> cell_m;
};

Source source_of(const DataSet& set);
/// One for each year that was read, in their order; "{year}" in the attribution is that year.
std::vector<Source> sources_of(const DataSet& set, const std::vector<int>& years);

/// Appends those of `more` that are not there yet.
void add_sources(std::vector<Source>& sources, const std::vector<Source>& more);

}  // namespace geo
