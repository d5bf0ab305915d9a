// The address importer as `roofd geodata add` calls it.
#include "http/commands/geodata.hpp"

// Until the importer's branch is merged; then these conditions go.
#if __has_include("http/commands/import_addresses.hpp")
#include "http/commands/import_addresses.hpp"
#define ROOF_HAS_ADDRESS_IMPORT 1
#endif

namespace http {

#ifdef ROOF_HAS_ADDRESS_IMPORT

namespace {

/// The form as the importer wants it: tables of AdV's kind do not say their own system.
std::string form_of(const geo::offices::Source& source) {
  constexpr std::string_view kEpsg = "EPSG:";
  const bool lacks_system = source.import_as == "hk-de" || source.import_as == "gebref";
  return lacks_system ? source.import_as + ":crs=" + source.crs.substr(kEpsg.size()) : source.import_as;
}

}  // namespace

geo::Result<std::string> import_addresses(const std::string& file, const geo::offices::Source& source,
                                          const geo::offices::DataFolder& folder) {
  const auto out = folder.addresses_of(source);
  const auto imported = import_with_progress(file, form_of(source), out.string());
  if (!imported) return tl::make_unexpected(imported.error());
  return out.filename().string();
}

#else

geo::Result<std::string> import_addresses(const std::string& file, const geo::offices::Source& source,
                                          const geo::offices::DataFolder&) {
  return geo::fail(geo::FailureKind::internal,
                   source.id + ": is kept as " + file +
                       " and not named in the catalogue; this build has no importer for the form " +
                       source.import_as);
}

#endif

}  // namespace http
