#include "geo/sources.hpp"

#include <algorithm>

#include "geo/data/catalogue.hpp"

namespace geo {
namespace {

bool same(const Source& a, const Source& b) {
  return a.kind == b.kind && a.name == b.name && a.attribution == b.attribution;
}

}  // namespace

Source source_of(const DataSet& set) {
  Source source{name_of(set.kind), set.name, set.provider, set.licence,
                set.attribution,   set.url,  set.year,     {}};
  if (set.cell_m > 0) source.cell_m = set.cell_m;
  return source;
}

void add_sources(std::vector<Source>& sources, const std::vector<Source>& more) {
  for (const Source& source : more)
    if (std::none_of(sources.begin(), sources.end(),
                     [&](const Source& known) { return same(known, source); }))
      sources.push_back(source);
}

}  // namespace geo
