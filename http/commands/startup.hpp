// Whether the service can do its work with a configuration: what it opens is opened, and one place of each
// data set is read. `roofd serve` begins with it, and `roofd config check` asks little more, so both
// refuse with the same sentences.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "geo/data/geodata.hpp"
#include "http/commands/configuration.hpp"

namespace http {

struct Startup {
  std::optional<geo::Geodata> geodata;  ///< set when there are no faults
  std::vector<std::string> faults;      ///< a sentence each; with any the service does not start
  std::vector<std::string> warnings;    ///< it starts, but not as it was meant, or not for long
  std::vector<std::string> notes;       ///< what an operator may want to know of the data
  ServerOptions server;                 ///< with as many connections as the process may have
};

/// Reads no stored data: opening a large store twice would double the time of a restart. Changes nothing on
/// disk and leaves the ports as they are; the process may open more files afterwards.
Startup try_startup(const ServeConfig& config);

}  // namespace http
