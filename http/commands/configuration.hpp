// Every option of the program: name, default, unit and meaning, on the command line as --group.name=value and
// in roofd.conf. The structs with the values belong to the layers; this file gives them their names.
#pragma once
#include <caf/actor_system_config.hpp>
#include <map>
#include <optional>
#include <string>

#include "actors/geocoding/external_geocoder.hpp"
#include "actors/options.hpp"
#include "geo/roof_analysis.hpp"
#include "http/api/front.hpp"
#include "http/api/links.hpp"
#include "http/commands/cluster_config.hpp"
#include "http/commands/office_config.hpp"
#include "http/commands/web_config.hpp"
#include "http/wire/server.hpp"

namespace http {

/// What all commands share: CAF's parser, with errors as one sentence.
class CommandConfig : public caf::actor_system_config {
 public:
  CommandConfig();

  /// Parses `arguments` and the configuration file that they name, else `default_file` if it exists. Nothing:
  /// go on. Otherwise the exit code: 0 after --help, 2 after a sentence on stderr about an unknown option, a
  /// bad value or a stray argument.
  std::optional<int> parse_or_exit_code(const std::vector<std::string>& arguments, const char* default_file);

  /// All options by group and name, CAF's own among them.
  const caf::config_option_set& options() const { return custom_options_; }

 protected:
  /// A sentence that names an option. When the option's value comes from the configuration file, file and
  /// line are put before it.
  std::string placed(std::string sentence) const;

 private:
  std::map<std::string, std::string>
      places_;  // of options that the file sets: "--http.port" -> "roofd.conf:17"
};

class ServeConfig : public CommandConfig {
 public:
  ServeConfig();

  std::string geodata;
  std::string data_dir;
  ServerOptions server;
  ServerOptions admin{
      .group = "admin", .port = 9180, .threads = 1, .connections_max = 64, .connections_per_address = 0};
  std::string log_level = "info";
  std::string log_requests = "all";
  std::uint32_t header_timeout_s = static_cast<std::uint32_t>(ConnectionLimits().header_timeout.count());
  std::uint32_t body_timeout_s = static_cast<std::uint32_t>(ConnectionLimits().body_timeout.count());
  std::uint32_t idle_timeout_s = static_cast<std::uint32_t>(ConnectionLimits().idle_timeout.count());
  std::uint32_t drain_wait_s = 0;  ///< between /readyz's change and the listener's closing
  FrontOptions front;
  Links links;
  actors::ActorOptions actors;
  std::string geocoder = "register";
  actors::ExternalGeocoderOptions geocoding;
  geo::ModuleOptions modules;
  OfficeConfig offices;
  WebConfig web;
  ClusterConfig cluster;

  /// A sentence about the first option with an invalid value; nothing when all are valid.
  std::optional<std::string> fault() const;
  /// {base_url}: as configured, else from address and port. The web application's address: as configured,
  /// else the API's.
  Links resolved_links() const;
  /// The limit of descriptors with which all connections fit.
  std::uint64_t descriptors_wanted() const;
  /// With as many connections as fit into `descriptors` beside the process's files.
  ServerOptions resolved_server(std::uint64_t descriptors) const;

 private:
  std::optional<std::string> range_fault() const;
  std::optional<std::string> choice_fault() const;
  std::optional<std::string> address_fault() const;
};

}  // namespace http
