#include "geo/sources.hpp"

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>

#include "geo/data/catalogue.hpp"

namespace geo {
namespace {

bool same(const Source& a, const Source& b) {
  return a.kind == b.kind && a.name == b.name && a.attribution == b.attribution && a.year == b.year;
}

std::string with_year(const std::string& text, std::optional<int> year) {
  return boost::replace_all_copy(text, "{year}", year ? std::to_string(*year) : std::string());
}

Source source_of_year(const DataSet& set, std::optional<int> year) {
  Source source{name_of(set.kind),
                set.name,
                set.provider,
                set.licence,
                with_year(set.attribution, year),
                set.url,
                year,
                {}};
  if (set.cell_m > 0) source.cell_m = set.cell_m;
  return source;
}

}  // namespace

Source source_of(const DataSet& set) { return source_of_year(set, set.year); }

std::vector<Source> sources_of(const DataSet& set, const std::vector<int>& years) {
  if (years.empty()) return {source_of(set)};
  std::vector<Source> sources;
  for (const int year : years) sources.push_back(source_of_year(set, year));
  return sources;
}

void add_sources(std::vector<Source>& sources, const std::vector<Source>& more) {
  for (const Source& source : more)
    if (std::none_of(sources.begin(), sources.end(),
                     [&](const Source& known) { return same(known, source); }))
      sources.push_back(source);
}

}  // namespace geo
