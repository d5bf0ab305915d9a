// The way of a command to the service, whether it runs or not.
#pragma once
#include <string>

#include "http/operators/admin_socket.hpp"

namespace http {

/// Sends the request to the server of the data directory, or, when nobody answers there, opens the store
/// itself.
AdminResult administer(const std::string& data_dir, const AdminRequest& request);

/// Its text on stdout, or refuse(); the exit code.
int print(const AdminResult& result);

}  // namespace http
