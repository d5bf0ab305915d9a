#include "http/commands/startup.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <filesystem>

#include "geo/data/data_identity.hpp"
#include "geo/data/data_set_check.hpp"
#include "http/commands/certificates.hpp"
#include "http/commands/web_address.hpp"
#include "http/web/origin_check.hpp"
#include "http/web/site.hpp"
#include "http/wire/descriptors.hpp"
#include "http/wire/tls.hpp"
#include "persistence/store.hpp"

namespace http {
namespace {

namespace asio = boost::asio;

constexpr std::array<geo::DataKind, geo::kDataKinds> kKinds{
    geo::DataKind::dsm,       geo::DataKind::dtm,        geo::DataKind::buildings, geo::DataKind::parcels,
    geo::DataKind::addresses, geo::DataKind::orthophoto, geo::DataKind::relief,    geo::DataKind::irradiance};
constexpr std::uintmax_t kLittleRoom_bytes = 512U << 20U;  // the store alone keeps as much unsorted data

struct ListeningPlace {
  std::string options;      ///< all that say where it is
  std::string port_option;  ///< the one that is changed when two places are the same
  std::string host;
  std::uint16_t port = 0;
};

/// Every place where the service will listen.
std::vector<ListeningPlace> listening_places(const ServeConfig& config) {
  std::vector<ListeningPlace> places;
  for (const ServerOptions* options : {&config.server, &config.admin})
    places.push_back({"--" + options->group + ".address, --" + options->group + ".port",
                      "--" + options->group + ".port", options->address, options->port});
  if (config.cluster.pair())
    if (const auto here = host_port_of(config.cluster.address))
      places.push_back({"--cluster.address", "--cluster.address", here->host, here->port});
  if (config.cluster.takes_workers())
    if (const auto here = host_port_of(config.cluster.workers_address))
      places.push_back({"--cluster.workers-address", "--cluster.workers-address", here->host, here->port});
  return places;
}

/// The sentence with which listening there would fail, before anything else is started. Binds without
/// listening, so that nobody who waits for the service (a front end's health check) connects to this trial.
std::optional<std::string> listening_fault(const ListeningPlace& place) {
  using tcp = asio::ip::tcp;
  asio::io_context context;
  tcp::acceptor acceptor(context);
  boost::system::error_code error;
  const auto found = tcp::resolver(context).resolve(
      place.host, std::to_string(place.port), tcp::resolver::passive | tcp::resolver::numeric_service, error);
  if (!error) {
    const tcp::endpoint endpoint = *found.begin();
    acceptor.open(endpoint.protocol(), error);
    if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
    if (!error) acceptor.bind(endpoint, error);
  }
  if (!error) return {};
  return place.options + ": " + place.host + ":" + std::to_string(place.port) + " cannot be listened on (" +
         error.message() + ")";
}

void try_ports(const ServeConfig& config, std::vector<std::string>& faults) {
  const std::vector<ListeningPlace> places = listening_places(config);
  for (const ListeningPlace& place : places)
    if (const auto fault = listening_fault(place)) faults.push_back(*fault);
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t k = i + 1; k < places.size(); ++k)
      if (places[i].port != 0 && places[i].port == places[k].port && places[i].host == places[k].host)
        faults.push_back(places[i].port_option + " and " + places[k].port_option +
                         " are the same: " + places[i].host + ":" + std::to_string(places[i].port));
}

void fit_connections(const ServeConfig& config, Startup& startup) {
  const std::uint64_t descriptors = allow_all_descriptors();
  startup.server = config.resolved_server(descriptors);
  const std::uint32_t fitting = startup.server.connections_max;
  if (fitting == 0)
    startup.faults.push_back(
        "the limit of " + std::to_string(descriptors) +
        " file descriptors (LimitNOFILE) leaves none for connections; for all of them it is " +
        std::to_string(config.descriptors_wanted()));
  else if (fitting < config.server.connections_max)
    startup.warnings.push_back("--http.connections-max=" + std::to_string(config.server.connections_max) +
                               " does not fit into the limit of " + std::to_string(descriptors) +
                               " file descriptors (LimitNOFILE): " + std::to_string(fitting) +
                               " connections are served at once; for all of them it is " +
                               std::to_string(config.descriptors_wanted()));
}

std::optional<std::string> little_room(const std::string& data_dir) {
  std::filesystem::path there = std::filesystem::absolute(data_dir);
  while (!std::filesystem::exists(there) && there.has_relative_path()) there = there.parent_path();
  std::error_code error;
  const auto space = std::filesystem::space(there, error);
  if (error || space.available >= kLittleRoom_bytes) return {};
  return data_dir + ": the disk is nearly full (" + std::to_string(space.available >> 20U) + " MB left)";
}

/// What the pages need of files. One of a pair must know before it takes the lead.
std::optional<std::string> pages_fault(const ServeConfig& config) {
  if (!config.web.enabled()) return {};
  const Links links = config.resolved_links();
  if (const auto sign_in = config.web.resolved_sign_in(links, config.data_dir); !sign_in)
    return sign_in.error();
  if (!origin_of(links.web_url)) return {};
  try {
    Site::make(links, config.web.resolved_pages(config.data_dir), config.actors, nullptr);
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

/// The pages' links begin at the root of their host.
std::optional<std::string> pages_warning(const ServeConfig& config) {
  const std::string web_url = config.resolved_links().web_url;
  if (!config.web.enabled() || path_of_web_address(web_url).value_or("").size() <= 1) return {};
  return "--http.web-url: the pages cannot lie below a path, as in " + web_url +
         "; give them a host of their own, or switch them off with --web.pages=off";
}

std::optional<geo::Geodata> read_geodata(const ServeConfig& config, std::vector<std::string>& faults) {
  auto catalogue = geo::Catalogue::load(config.geodata);
  if (!catalogue) {
    faults.push_back(catalogue.error().text);
    return {};
  }
  for (const geo::DataKind kind : kKinds)
    for (const geo::DataSet& set : catalogue->of(kind))
      if (const auto tried = geo::check_data_set(set); !tried) faults.push_back(tried.error().text);
  auto addresses = geo::load_addresses(*catalogue);
  if (!addresses) faults.push_back(addresses.error().text);
  if (config.geocoder == "register" && catalogue->of(geo::DataKind::addresses).empty())
    faults.push_back(config.geodata + ": datasets names no addresses, which --geocoder=register looks up");
  if (!faults.empty()) return {};
  geo::Geodata geodata{std::move(*catalogue), std::move(addresses->addresses), std::move(addresses->notes)};
  if (config.cluster.takes_workers() || config.cluster.of_worker) {
    auto digest = geo::digest_of(geodata.catalogue);
    if (!digest) {
      faults.push_back(digest.error().text);
      return {};
    }
    geodata.digest = std::move(*digest);
  }
  if (config.geocoder == "register")
    if (const auto served = geo::check_houses(geodata); !served) {
      faults.push_back(config.geodata + ": " + served.error().text);
      return {};
    }
  return geodata;
}

}  // namespace

// Damaged pages of an address index come as an exception.
std::optional<geo::Geodata> try_geodata(const ServeConfig& config, std::vector<std::string>& faults) {
  try {
    return read_geodata(config, faults);
  } catch (const std::exception& error) {
    faults.push_back(config.geodata + ": " + error.what());
    return {};
  }
}

Startup try_startup(const ServeConfig& config, Beside beside) {
  Startup startup;
  if (const auto fault = config.fault()) {
    startup.faults.push_back(*fault);  // the other checks would use invalid values
    return startup;
  }
  startup.geodata = try_geodata(config, startup.faults);
  if (startup.geodata) startup.notes = startup.geodata->notes;
  if (!config.server.tls_cert.empty())
    if (const auto tls = TlsContext::load(config.server.tls_cert, config.server.tls_key); !tls)
      startup.faults.push_back(tls.error());
  if (const auto fault = config.cluster.file_fault()) startup.faults.push_back(*fault);
  if (const auto fault = pages_fault(config)) startup.faults.push_back(*fault);
  if (beside == Beside::nobody) {
    if (const auto fault = persistence::Store::opening_fault(config.data_dir))
      startup.faults.push_back(*fault);
    try_ports(config, startup.faults);
  }
  fit_connections(config, startup);
  if (const auto warning = little_room(config.data_dir)) startup.warnings.push_back(*warning);
  for (std::string& warning : certificate_warnings(config)) startup.warnings.push_back(std::move(warning));
  if (auto warning = pages_warning(config)) startup.warnings.push_back(std::move(*warning));
  if (!startup.faults.empty()) startup.geodata.reset();
  return startup;
}

}  // namespace http
