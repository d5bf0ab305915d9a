// The address importer as `roofd geodata add` calls it.
#include "http/commands/geodata.hpp"

namespace http {

// The importer (geo/addresses) belongs here as soon as it is in this build; until then the office's file
// stays where it was fetched to, and the command says so.
geo::Result<std::string> import_addresses(const std::string& file, const geo::offices::Source& source,
                                          const geo::offices::DataFolder&) {
  return geo::fail(geo::FailureKind::internal,
                   source.id + ": is kept as " + file +
                       " and not named in the catalogue; this build has no importer for the form " +
                       source.import_as);
}

}  // namespace http
