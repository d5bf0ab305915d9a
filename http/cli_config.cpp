#include "http/cli_config.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <thread>

#include "http/descriptors.hpp"

namespace http {

CommandConfig::CommandConfig() { add_message_types<caf::id_block::roof>(); }

std::optional<int> CommandConfig::parse_or_exit_code(const std::vector<std::string>& arguments,
                                                     const char* default_file) {
  const auto refused = [](const std::string& sentence) {
    std::cerr << "roofd: " << sentence << "\n";
    return 2;
  };
  constexpr std::string_view kFile = "--config-file=";
  for (const std::string& argument : arguments)
    if (argument.starts_with(kFile) && !std::filesystem::exists(argument.substr(kFile.size())))
      return refused(argument.substr(kFile.size()) + ": the configuration file cannot be read");
  if (const auto error = parse(arguments, default_file)) {
    std::string what = render(error);
    // CAF says which argument and what is wrong with it, wrapped in its own notation.
    std::erase_if(what, [](char c) { return c == '"' || c == '\\'; });
    return refused("an option is not valid: " + what);
  }
  if (cli_helptext_printed) return 0;
  if (!remainder.empty()) return refused("\"" + remainder.front() + "\" is not an option");
  if (const auto unknown = unknown_in_file())
    return refused(config_file_path + ": " + *unknown + " is not an option");
  return {};
}

/// CAF takes any key of a configuration file; a typing error must not be taken for a setting.
std::optional<std::string> CommandConfig::unknown_in_file() const {
  for (const auto& [group, value] : content) {
    if (const auto* entries = caf::get_if<caf::config_value::dictionary>(&value)) {
      for (const auto& [name, ignored] : *entries)
        if (!custom_options_.qualified_name_lookup(group, name) && group != "scheduler" &&
            group != "logger" && group != "middleman" && group != "work-stealing" && group != "stream" &&
            group != "opencl" && group != "openssl")
          return group + "." + name;
    } else if (!custom_options_.qualified_name_lookup("global", group) && group != "config-file") {
      return group;
    }
  }
  return {};
}

ServeConfig::ServeConfig() {
  // CAF takes at least four; threads beyond the cores only take each other's work.
  set("scheduler.max-threads", std::size_t{std::max(2U, std::thread::hardware_concurrency())});
  links.web_url = "https://app.example";
  opt_group{custom_options_, "global"}
      .add(geodata, "geodata", "catalogue of the data sets (geodata.json)")
      .add(data_dir, "data-dir", "directory of everything that is stored")
      .add(geocoder, "geocoder",
           "what resolves addresses: register (the catalogue's), nominatim, photon or geoadmin");
  opt_group{custom_options_, "geocoding"}
      .add(geocoding.url, "url", "where the geocoding service is asked; empty is the public one")
      .add(geocoding.pace_ms, "pace-ms", "ms between two requests to it; 0 takes what its operators ask for")
      .add(geocoding.timeout_ms, "timeout-ms", "ms until a request to it is given up")
      .add(geocoding.cached, "cached", "addresses whose answer is remembered, for a day")
      .add(geocoding.contact, "contact", "how its operators reach ours; default: the base URL");
  opt_group{custom_options_, "http"}
      .add(server.address, "address", "address to listen on")
      .add(server.port, "port", "port to listen on; 0 takes a free one")
      .add(links.base_url, "base-url", "the service's public address including /api/v1")
      .add(links.web_url, "web-url", "the web application's address, for links into it")
      .add(server.tls_cert, "tls-cert", "certificate chain, PEM; with tls-key the service speaks HTTPS")
      .add(server.tls_key, "tls-key", "the certificate's private key, PEM")
      .add(server.threads, "threads", "reactor threads")
      .add(server.connections_max, "connections-max", "connections at once; beyond: 503")
      .add(server.connections_per_address, "connections-per-address",
           "connections of one calling address, proxies excepted; beyond: 503; 0 is off")
      .add(server.requests_max, "requests-max", "requests that are not answered yet; beyond: 503")
      .add(server.output_mb, "output-mb", "answers that clients have not taken yet, MB; beyond: 503")
      .add(header_timeout_s, "header-timeout", "seconds that a request's header may take; beyond: 408")
      .add(body_timeout_s, "body-timeout", "seconds that a request's body may take; beyond: 408")
      .add(idle_timeout_s, "idle-timeout", "seconds that a connection may stay without a request")
      .add(server.limits.drain_bytes_per_s, "drain-rate",
           "bytes a second that a client takes of its answers, with pauses of 30 s; 0 is off")
      .add(drain_wait_s, "drain-wait",
           "seconds between /readyz's turning at SIGTERM and the end of listening")
      .add(front.askers, "askers", "actors that hold requests under way")
      .add(front.trusted_proxies, "trusted-proxies",
           "proxies, addresses or networks, whose X-Forwarded-For is believed, by commas")
      .add(front.deadline_s, "deadline", "seconds until a request is answered 503")
      .add(front.cors_origin, "cors-origin",
           "origins whose web pages may use the service, by commas; * is any, empty none");
  opt_group{custom_options_, "admin"}
      .add(admin.address, "address", "address of /metrics, /healthz and /readyz; asks for no key")
      .add(admin.port, "port", "its port; 0 takes a free one");
  opt_group{custom_options_, "log"}.add(log_requests, "requests",
                                        "which requests get a line: all, errors (status 500 up) or off");
  opt_group{custom_options_, "analysis"}
      .add(actors.slots, "slots", "analyses that compute at once")
      .add(actors.deadline_s, "deadline", "seconds until an analysis is cancelled")
      .add(actors.retention_h, "retention", "hours that a finished result is kept")
      .add(actors.waiting_max, "waiting-max", "runs in line; beyond: 503");
  opt_group{custom_options_, "limits"}
      .add(actors.limits.create_per_hour, "create-per-hour", "creations and restarts per account; 0 is off")
      .add(actors.limits.status_per_hour, "status-per-hour",
           "status queries and listings per account; 0 is off")
      .add(actors.limits.analyse_per_hour, "analyse-per-hour", "GET /analyse per account; 0 is off")
      .add(actors.limits.media_per_hour, "media-per-hour", "images, model, listing per account; 0 is off")
      .add(actors.limits.address_per_hour, "address-per-hour", "all requests of a calling address; 0 is off")
      .add(actors.limits.address_per_day, "address-per-day", "all requests of a calling address; 0 is off")
      .add(actors.limits.addresses_mb, "addresses-mb", "memory for telling calling addresses apart, MB");
  opt_group{custom_options_, "actors"}
      .add(actors.address_shards, "address-shards", "shards of the calling addresses")
      .add(actors.account_shards, "account-shards", "shards of the accounts")
      .add(actors.project_shards, "project-shards", "shards of the projects")
      .add(actors.geocoders, "geocoders", "geocoders, each with a thread")
      .add(actors.projects_cached, "projects-cached", "projects kept in memory per shard")
      .add(actors.results_cached_mb, "results-cached-mb", "rendered results kept in memory per shard, MB")
      .add(actors.accounts_cached, "accounts-cached", "accounts kept in memory per shard");
  opt_group{custom_options_, "render"}
      .add(actors.renderers, "renderers", "pictures that are drawn at once, each in a thread of low priority")
      .add(actors.renders_waiting_max, "waiting-max", "different pictures in line; beyond: 503")
      .add(actors.media_cached_mb, "cached-mb", "pictures and files kept in memory, MB");
  opt_group{custom_options_, "module"}
      .add(modules.power_w, "power", "a module's power, W")
      .add(modules.length_m, "length", "a module's length, m")
      .add(modules.width_m, "width", "a module's width, m")
      .add(modules.edge_margin_m, "edge-margin", "distance to every edge, m")
      .add(modules.flat_edge_margin_m, "flat-edge-margin", "the same up to 10 degrees of tilt, m")
      .add(modules.obstacle_margin_m, "obstacle-margin", "distance to chimneys, windows, dormers, m")
      .add(modules.gap_m, "gap", "distance between modules, m");
}

std::optional<std::string> ServeConfig::fault() const {
  if (geodata.empty()) return "--geodata is missing";
  if (data_dir.empty()) return "--data-dir is missing";
  const auto positive = [](auto value, const char* name) {
    return value > 0 ? std::nullopt : std::optional(std::string("--") + name + " must be greater than 0");
  };
  for (const auto& fault : {positive(server.threads, "http.threads"),
                            positive(server.connections_max, "http.connections-max"),
                            positive(header_timeout_s, "http.header-timeout"),
                            positive(body_timeout_s, "http.body-timeout"),
                            positive(idle_timeout_s, "http.idle-timeout"),
                            positive(server.requests_max, "http.requests-max"),
                            positive(server.output_mb, "http.output-mb"),
                            positive(front.askers, "http.askers"),
                            positive(front.deadline_s, "http.deadline"),
                            positive(actors.slots, "analysis.slots"),
                            positive(actors.deadline_s, "analysis.deadline"),
                            positive(actors.retention_h, "analysis.retention"),
                            positive(actors.waiting_max, "analysis.waiting-max"),
                            positive(actors.address_shards, "actors.address-shards"),
                            positive(actors.limits.addresses_mb, "limits.addresses-mb"),
                            positive(actors.account_shards, "actors.account-shards"),
                            positive(actors.project_shards, "actors.project-shards"),
                            positive(actors.geocoders, "actors.geocoders"),
                            positive(actors.renderers, "render.renderers"),
                            positive(geocoding.timeout_ms, "geocoding.timeout-ms"),
                            positive(modules.power_w, "module.power"),
                            positive(modules.length_m, "module.length"),
                            positive(modules.width_m, "module.width")})
    if (fault) return fault;
  if (server.tls_cert.empty() != server.tls_key.empty())
    return "--http.tls-cert and --http.tls-key go together";
  if (const std::string part = AddressList(front.trusted_proxies).fault(); !part.empty())
    return "--http.trusted-proxies: " + part + " is neither an address nor a network";
  if (geocoder != "register" && !actors::dialect_of(geocoder))
    return "--geocoder=" + geocoder + " is none of register, nominatim, photon, geoadmin";
  if (!log_choice_of(log_requests)) return "--log.requests is all, errors or off";
  for (const double margin :
       {modules.edge_margin_m, modules.flat_edge_margin_m, modules.obstacle_margin_m, modules.gap_m})
    if (margin < 0) return "a module distance is negative";
  return {};
}

ServerOptions ServeConfig::resolved_server(std::uint64_t descriptors) const {
  ServerOptions resolved = server;
  resolved.connections_max = connections_that_fit(server.connections_max, descriptors);
  resolved.proxies = front.trusted_proxies;
  resolved.limits.header_timeout = std::chrono::seconds(header_timeout_s);
  resolved.limits.body_timeout = std::chrono::seconds(body_timeout_s);
  resolved.limits.idle_timeout = std::chrono::seconds(idle_timeout_s);
  return resolved;
}

Links ServeConfig::resolved_links() const {
  Links resolved = links;
  if (resolved.base_url.empty())
    resolved.base_url = (server.tls_cert.empty() ? "http://" : "https://") + server.address + ":" +
                        std::to_string(server.port) + "/api/v1";
  while (resolved.base_url.ends_with('/')) resolved.base_url.pop_back();
  while (resolved.web_url.ends_with('/')) resolved.web_url.pop_back();
  return resolved;
}

}  // namespace http
