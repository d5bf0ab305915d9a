// Sends a command to the service in the same way whether the service runs or is stopped.
#pragma once
#include <optional>
#include <string>

#include "http/operators/admin_socket.hpp"

namespace http {

/// Why root must not write into the directory: it is another user's, whose service could not open what root
/// leaves in it. Nothing: this user may.
std::optional<std::string> not_as_root(const std::string& data_dir);

/// Sends the request to the server of the data directory. If no server answers, opens the store itself. Only
/// "account add" begins a new one.
AdminResult administer(const std::string& data_dir, const AdminRequest& request);

/// Prints an answer on stdout or a refusal on stderr, and returns the exit code.
int print(const AdminResult& result);

}  // namespace http
