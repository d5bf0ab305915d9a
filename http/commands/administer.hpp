// Sends a command to the service in the same way whether the service runs or is stopped.
#pragma once
#include <string>

#include "http/operators/admin_socket.hpp"

namespace http {

/// Sends the request to the server of the data directory. If no server answers, opens the store itself.
AdminResult administer(const std::string& data_dir, const AdminRequest& request);

/// Prints an answer on stdout or a refusal on stderr, and returns the exit code.
int print(const AdminResult& result);

}  // namespace http
