// The certificates that the configuration names: whether they hold today, and the public one read anew while
// the service runs.
#pragma once
#include <string>
#include <vector>

#include "actors/log.hpp"
#include "http/commands/configuration.hpp"

namespace http {

/// A sentence for each certificate that has ended or has not begun. Those that cannot be read are left out.
std::vector<std::string> certificate_warnings(const ServeConfig& config);

/// A renewed certificate is for new connections; one of no use is told, and the one in use stays.
void renew_certificate(Server& server, actors::Log& log);

}  // namespace http
