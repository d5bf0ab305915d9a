// roofd geodata import-addresses, and the importer as `add` calls it.
#include "http/commands/geodata.hpp"

namespace http {

geo::Result<std::string> import_addresses(const std::string& file, const geo::offices::Source& source,
                                          const geo::offices::DataFolder&) {
  return geo::fail(geo::FailureKind::internal, source.id + ": " + file + " cannot be imported by this build");
}

}  // namespace http
