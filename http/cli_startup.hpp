// Whether the service can do its work with a configuration: what it opens is opened, and one place of each
// data set is read. `roofd serve` begins with it and `roofd config check` is nothing more, so both refuse
// with the same sentences.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "geo/data/geodata.hpp"
#include "http/cli_config.hpp"

namespace http {

struct Startup {
  std::optional<geo::Geodata> geodata;  ///< set when there are no faults
  std::vector<std::string> faults;      ///< a sentence each; with any the service does not start
  std::vector<std::string> warnings;    ///< it starts, but not as it was meant, or not for long
  std::vector<std::string> notes;       ///< what an operator may want to know of the data
  ServerOptions server;                 ///< with as many connections as the process may have
};

/// Changes nothing on disk and leaves the ports as they are; the process may open more files afterwards.
Startup try_startup(const ServeConfig& config);

/// What `serve` would find out next, when it opens the data directory and listens; its sentences. The check
/// alone asks: opening a large store twice would double the time that the service is away at a restart.
std::vector<std::string> opening_faults(const ServeConfig& config);

}  // namespace http
