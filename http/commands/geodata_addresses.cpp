// The address importer as `roofd geodata add` calls it.
#include <string>
#include <string_view>

#include "http/commands/geodata.hpp"
#include "http/commands/import_addresses.hpp"

namespace http {
namespace {

/// The form as the importer wants it: tables of AdV's kind do not say their own system.
std::string form_of(const geo::offices::Source& source) {
  constexpr std::string_view kEpsg = "EPSG:";
  const bool lacks_system = source.import_as == "hk-de" || source.import_as == "gebref";
  return lacks_system ? source.import_as + ":crs=" + source.crs.substr(kEpsg.size()) : source.import_as;
}

}  // namespace

geo::Result<std::string> import_addresses(const geo::offices::AddressPackets& packets,
                                          const geo::offices::Source& source,
                                          const geo::offices::DataFolder& folder) {
  const auto out = folder.addresses_of(source);
  const auto imported =
      import_with_progress({packets.files, form_of(source), out.string(), packets.made_ready});
  if (!imported) return tl::make_unexpected(imported.error());
  return out.filename().string();
}

}  // namespace http
