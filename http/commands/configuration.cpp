#include "http/commands/configuration.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iostream>
#include <limits>
#include <regex>
#include <thread>

#include "geo/data/kept_open.hpp"
#include "http/api/cors.hpp"
#include "http/commands/option_file.hpp"
#include "http/commands/option_text.hpp"
#include "http/commands/web_address.hpp"
#include "http/operators/operator_log.hpp"
#include "http/operators/request_log.hpp"
#include "http/web/origin_check.hpp"
#include "http/wire/descriptors.hpp"

namespace http {
namespace {

constexpr std::string_view kApiPath = "/api/v1";

/// An address in figures as a URL has it: IPv6 in brackets (RFC 3986, 3.2.2).
std::string url_host(const std::string& address) {
  return address.find(':') == std::string::npos ? address : "[" + address + "]";
}

bool asks_for_help(const std::string& argument) { return argument == "--help" || argument == "--long-help"; }

/// `told`: CAF's words, which name the argument in a notation of its own.
std::string sentence_of(std::string told, const caf::config_option_set& options) {
  static const std::regex kArgument(R"(argument = (.*)\}\))");
  std::erase_if(told, [](char c) { return c == '"' || c == '\\'; });
  std::smatch found;
  if (!std::regex_search(told, found, kArgument)) return "an option is not valid: " + told;
  const std::string argument = found[1];
  const std::string name = argument.substr(0, argument.find('='));
  const auto* option = name.starts_with("--") ? options.cli_long_name_lookup(name.substr(2)) : nullptr;
  if (!option) return name + " is not an option";
  if (name == argument || name + "=" == argument) return name + " needs a value: " + flag_of(*option);
  return argument + " is not valid: it is " + values_of(*option);
}

/// CAF knows a switch by its name alone: "--name=true" becomes that, "--name=false" takes back what stands
/// before.
void spell_switches(std::vector<std::string>& flags, const caf::config_option_set& options) {
  std::vector<std::string> spelled;
  for (const std::string& flag : flags) {
    const std::string name = flag.substr(0, flag.find('='));
    const auto* option = name.starts_with("--") ? options.cli_long_name_lookup(name.substr(2)) : nullptr;
    const bool off = flag == name + "=false", on = flag == name + "=true";
    if (!option || !option->is_flag() || (!on && !off)) {
      spelled.push_back(flag);
      continue;
    }
    std::erase(spelled, name);
    if (on) spelled.push_back(name);
  }
  flags = std::move(spelled);
}

}  // namespace

CommandConfig::CommandConfig() { add_message_types<caf::id_block::roof>(); }

std::optional<int> CommandConfig::parse_or_exit_code(const std::vector<std::string>& arguments,
                                                     const char* default_file) {
  const auto refused = [](const std::string& sentence) {
    std::cerr << "roofd: " << sentence << "\n";
    return 2;
  };
  constexpr std::string_view kFile = "--config-file=";
  std::string file = std::filesystem::exists(default_file) ? default_file : "";
  std::vector<std::string> flags;  // the file's options come first, so that the command line wins
  for (const std::string& argument : arguments) {
    if (argument == kFile) return refused("--config-file needs a value: --config-file=FILE");
    if (argument.starts_with(kFile)) file = argument.substr(kFile.size());
  }
  if (!file.empty()) {
    const auto read = read_option_file(file, custom_options_);
    if (!read) return refused(read.error());
    for (const FileOption& option : *read) {
      flags.push_back(option.flag);
      places_["--" + option.name] = option.place;
    }
  }
  for (const std::string& argument : arguments) {
    if (argument.starts_with(kFile)) continue;
    flags.push_back(argument);
    places_.erase(argument.substr(0, argument.find('=')));
  }
  if (std::any_of(arguments.begin(), arguments.end(), asks_for_help)) {
    if (*default_file != '\0')
      std::cout << "  --config-file=FILE  options from a file [" << default_file << ", if there is one]\n";
    std::cout << help_of(custom_options_, CommandConfig().options());
    return 0;
  }
  spell_switches(flags, custom_options_);
  if (const auto error = parse(flags, "")) return refused(sentence_of(render(error), custom_options_));
  if (cli_helptext_printed) return 0;
  if (!remainder.empty()) return refused("\"" + remainder.front() + "\" is not an option");
  return {};
}

std::string CommandConfig::placed(std::string sentence) const {
  const auto in_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '.';
  };
  for (const auto& [name, place] : places_) {
    const auto end = sentence.find(name) + name.size();
    if (sentence.find(name) == std::string::npos) continue;
    if (end < sentence.size() && in_name(sentence[end]))
      continue;  // a longer name, which begins with this one
    return place + ": " + sentence;
  }
  return sentence;
}

ServeConfig::ServeConfig() {
  // CAF's default is at least four threads. Threads beyond the cores only take each other's work.
  set("scheduler.max-threads", std::size_t{std::max(2U, std::thread::hardware_concurrency())});
  // By default a worker without work looks for some 500 times in 25 ms, then every 10 ms. That costs 7 % of a
  // core beside analyses and half a percent at rest. A request wakes its worker at once; what waits
  // behind another worker's long message is found by the next look, after 200 ms at most.
  set("work-stealing.moderate-poll-attempts", std::size_t{4});
  set("work-stealing.relaxed-sleep-duration", caf::timespan(std::chrono::milliseconds(200)));
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
      .add(links.web_url, "web-url", "the web application's address; empty: as base-url, without /api/v1")
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
  opt_group{custom_options_, "log"}
      .add(log_level, "level", "lines of this level and graver are written: info, warning, error or off")
      .add(log_requests, "requests", "which requests get a line: all, errors (status 500 up) or off");
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
  offices.add_to(custom_options_);
  web.add_to(custom_options_);
  cluster.add_to(custom_options_);
}

std::optional<std::string> ServeConfig::fault() const {
  if (geodata.empty()) return "--geodata is missing";
  if (data_dir.empty()) return "--data-dir is missing";
  for (const auto check :
       {&ServeConfig::range_fault, &ServeConfig::choice_fault, &ServeConfig::address_fault})
    if (const auto fault = (this->*check)()) return placed(*fault);
  if (const auto fault = offices.fault()) return placed(*fault);
  if (const auto fault = web.fault()) return placed(*fault);
  if (const auto fault = cluster.fault()) return placed(*fault);
  return {};
}

std::optional<std::string> ServeConfig::range_fault() const {
  struct Range {
    const char* name;
    double value, most;
    bool zero = false;  // is allowed as well
  };
  constexpr double kThreads = 1024;  // beyond that, threads only wait for a core
  constexpr double kAny = std::numeric_limits<std::uint32_t>::max();
  constexpr double kHours = 24 * 366 * 100;
  constexpr double kMetres = 100;
  constexpr double kWatts = 10'000;
  for (const Range& range : {Range{"http.threads", double(server.threads), kThreads},
                             {"http.connections-max", double(server.connections_max), kAny},
                             {"http.header-timeout", double(header_timeout_s), kAny},
                             {"http.body-timeout", double(body_timeout_s), kAny},
                             {"http.idle-timeout", double(idle_timeout_s), kAny},
                             {"http.requests-max", double(server.requests_max), kAny},
                             {"http.askers", double(front.askers), kThreads},
                             {"http.deadline", double(front.deadline_s), kAny},
                             {"analysis.slots", double(actors.slots), kThreads},
                             {"analysis.deadline", double(actors.deadline_s), kAny},
                             {"analysis.retention", double(actors.retention_h), kHours},
                             {"analysis.waiting-max", double(actors.waiting_max), kAny},
                             {"actors.address-shards", double(actors.address_shards), kThreads},
                             {"actors.account-shards", double(actors.account_shards), kThreads},
                             {"actors.project-shards", double(actors.project_shards), kThreads},
                             {"actors.geocoders", double(actors.geocoders), kThreads},
                             {"render.renderers", double(actors.renderers), kThreads},
                             {"geocoding.timeout-ms", double(geocoding.timeout_ms), kAny},
                             {"module.power", modules.power_w, kWatts},
                             {"module.length", modules.length_m, kMetres},
                             {"module.width", modules.width_m, kMetres},
                             {"module.edge-margin", modules.edge_margin_m, kMetres, true},
                             {"module.flat-edge-margin", modules.flat_edge_margin_m, kMetres, true},
                             {"module.obstacle-margin", modules.obstacle_margin_m, kMetres, true},
                             {"module.gap", modules.gap_m, kMetres, true}}) {
    const std::string name = std::string("--") + range.name;
    if (!(range.zero ? range.value >= 0 : range.value > 0))
      return name + (range.zero ? " is negative" : " must be greater than 0");
    if (range.value > range.most)
      return name + " is more than " + std::to_string(static_cast<long long>(range.most));
  }
  return {};
}

std::optional<std::string> ServeConfig::choice_fault() const {
  if (server.tls_cert.empty() != server.tls_key.empty())
    return "--http.tls-cert and --http.tls-key go together";
  if (const std::string part = AddressList(front.trusted_proxies).fault(); !part.empty())
    return "--http.trusted-proxies: " + part + " is neither an address nor a network";
  const CorsPolicy cors(front.cors_origin);
  for (const std::string& origin : cors.origins()) {
    const auto web = origin_of(origin);  // an app's own scheme is sent as it stands
    const bool other = origin == "*" || origin == "null" ||
                       (!origin.starts_with("http") && origin.find("://") != std::string::npos);
    if (web ? *web != origin : !other)
      return "--http.cors-origin: " + origin +
             " is not an origin as browsers send it, https://HOST or with :PORT";
  }
  if (geocoder != "register" && !actors::dialect_of(geocoder))
    return "--geocoder=" + geocoder + " is none of register, nominatim, photon, geoadmin";
  if (!log_level_of(log_level)) return "--log.level is info, warning, error or off";
  if (!log_choice_of(log_requests)) return "--log.requests is all, errors or off";
  return {};
}

/// Every answer carries links made from these.
std::optional<std::string> ServeConfig::address_fault() const {
  const auto unusable = [](const char* name, const std::string& value, const char* what) {
    return std::string("--") + name + "=" + value + " is not an absolute http or https URL" + what;
  };
  const auto base_path = path_of_web_address(resolved_links().base_url);
  if (!links.base_url.empty() && (!base_path || !base_path->ends_with("/api/v1")))
    return unusable("http.base-url", links.base_url, " that ends with /api/v1");
  if (!links.web_url.empty() && !path_of_web_address(links.web_url))
    return unusable("http.web-url", links.web_url, "");
  const bool known_address = !links.base_url.empty() || !links.web_url.empty() || server.port != 0;
  if (web.enabled() && known_address && !origin_of(resolved_links().web_url))
    return unusable("http.web-url", resolved_links().web_url, " with a host in ASCII");
  if (!geocoding.url.empty() && !path_of_web_address(geocoding.url.substr(0, geocoding.url.find('?'))))
    return unusable("geocoding.url", geocoding.url, "");
  return {};
}

std::uint64_t ServeConfig::descriptors_wanted() const {
  return descriptors_for(server.connections_max) + std::uint64_t{actors.slots} * geo::kMostKeptOpen;
}

ServerOptions ServeConfig::resolved_server(std::uint64_t descriptors) const {
  ServerOptions resolved = server;
  const std::uint64_t data_sets = std::uint64_t{actors.slots} * geo::kMostKeptOpen;
  resolved.connections_max =
      connections_that_fit(server.connections_max, descriptors > data_sets ? descriptors - data_sets : 0);
  resolved.proxies = front.trusted_proxies;
  resolved.limits.header_timeout = std::chrono::seconds(header_timeout_s);
  resolved.limits.body_timeout = std::chrono::seconds(body_timeout_s);
  resolved.limits.idle_timeout = std::chrono::seconds(idle_timeout_s);
  return resolved;
}

Links ServeConfig::resolved_links() const {
  Links resolved = links;
  if (resolved.base_url.empty())
    resolved.base_url = (server.tls_cert.empty() ? "http://" : "https://") + url_host(server.address) + ":" +
                        std::to_string(server.port) + "/api/v1";
  while (resolved.base_url.ends_with('/')) resolved.base_url.pop_back();
  if (resolved.web_url.empty())
    resolved.web_url = resolved.base_url.substr(0, resolved.base_url.size() - kApiPath.size());
  while (resolved.web_url.ends_with('/')) resolved.web_url.pop_back();
  return resolved;
}

}  // namespace http
