// The address importer as `roofd geodata` calls it.
#include <filesystem>

#include "http/commands/geodata.hpp"
#include "http/commands/import_addresses.hpp"

namespace http {

geo::Result<std::string> import_addresses(const std::string& file, const geo::offices::Source& source,
                                          const geo::offices::DataFolder& folder) {
  const auto name = source.id + ".addr";
  const auto imported = import_with_progress(file, source.import_as, (folder.root() / name).string());
  if (!imported) return tl::make_unexpected(imported.error());
  return name;
}

}  // namespace http
