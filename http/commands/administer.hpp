// Commands reach the service the same way whether it runs or is stopped.
#pragma once
#include <string>

#include "http/operators/admin_socket.hpp"

namespace http {

/// Sends the request to the server of the data directory, or, when nobody answers there, opens the store
/// itself.
AdminResult administer(const std::string& data_dir, const AdminRequest& request);

/// Prints what was answered on stdout, what was refused on stderr, and returns the exit code.
int print(const AdminResult& result);

}  // namespace http
