// Whether the service can work with a configuration: opens all that it needs and reads one place of each data
// set. `roofd serve` begins with this, and `roofd config check` does little more, so both fail with the same
// sentences.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "geo/data/geodata.hpp"
#include "http/commands/configuration.hpp"

namespace http {

struct Startup {
  std::optional<geo::Geodata> geodata;  ///< set when there are no faults
  std::vector<std::string> faults;      ///< a sentence each; if there are any, the service does not start
  std::vector<std::string> warnings;    ///< it starts, but not as intended, or it may fail soon
  std::vector<std::string> notes;       ///< facts about the data for the operator
  ServerOptions server;                 ///< with as many connections as the process may have
};

/// Opens the catalogue's data sets, reads one place of each and the address register. Nothing when there are
/// faults, which are appended, a sentence each. Throws nothing: threads and actors call it that would end the
/// program, and go on with the data in use.
std::optional<geo::Geodata> try_geodata(const ServeConfig& config, std::vector<std::string>& faults);

enum class Beside { nobody, the_service };

/// Does not read stored data: opening a large store twice would double the time of a restart. Changes nothing
/// on disk and leaves the ports unused. Raises the process's limit of open files. Beside the running service,
/// which holds its ports and data, these are not tried.
Startup try_startup(const ServeConfig& config, Beside beside = Beside::nobody);

}  // namespace http
