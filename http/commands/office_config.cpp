#include "http/commands/office_config.hpp"

#include <chrono>
#include <filesystem>
#include <memory>
#include <utility>

#include "geo/fetch/network.hpp"
#include "geo/fetch/office_file_system.hpp"
#include "geo/offices/data_folder.hpp"
#include "geo/offices/office_network.hpp"
#include "geo/offices/recipes.hpp"

namespace http {
namespace {

constexpr std::chrono::seconds kConnectLimit{5};  // a run waits meanwhile

/// The files and the way to them, which lives as long.
struct OfficeReader {
  geo::Network network;
  geo::OfficeFiles files;
  OfficeReader(geo::NetworkOptions way, geo::OfficeFilesOptions options)
      : network(std::move(way)), files(network, std::move(options)) {}
};

}  // namespace

void OfficeConfig::add_to(caf::config_option_set& options) {
  caf::config_option_adder{options, "offices"}
      .add(cache, "cache", "folder of what was read at the offices; empty: in the data directory")
      .add(cache_gb, "cache-gb", "how much of it is kept, GB")
      .add(offline, "offline", "no office is asked; a tile that is not here is a gap")
      .add(contact, "contact", "how the offices reach us, for the User-Agent")
      .add(ca_file, "ca", "PEM file of certificates, for offices whose chain is incomplete");
}

std::optional<std::string> OfficeConfig::fault() const {
  constexpr std::uint32_t kMost_gb = 1'000'000;
  if (cache_gb == 0 || cache_gb > kMost_gb)
    return "--offices.cache-gb must be greater than 0 and at most " + std::to_string(kMost_gb);
  std::error_code error;
  if (!ca_file.empty() && !std::filesystem::is_regular_file(ca_file, error))
    return "--offices.ca=" + ca_file + " is not a file";
  return {};
}

std::optional<std::string> OfficeConfig::begin(const std::string& geodata,
                                               const std::string& data_dir) const {
  if (offline) geo::go_offline();
  const auto recipes = geo::offices::all_recipes(geo::offices::DataFolder{geodata}.recipes());
  if (!recipes) return recipes.error().text;
  geo::NetworkOptions way = geo::offices::network_options(*recipes, contact, ca_file);
  way.connect_limit = kConnectLimit;
  const auto reader = std::make_shared<OfficeReader>(
      std::move(way),
      geo::OfficeFilesOptions{.folder = cache.empty() ? std::filesystem::path(data_dir) / "offices"
                                                      : std::filesystem::path(cache),
                              .disk_bytes = std::uint64_t{cache_gb} << 30});
  geo::serve_office_files(std::shared_ptr<geo::OfficeFiles>(reader, &reader->files));
  return {};
}

}  // namespace http
