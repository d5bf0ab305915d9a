// What operators ask of a running or a stopped service, in one place: both ways end here.
#pragma once
#include <caf/actor_system.hpp>

#include "actors/service.hpp"
#include "http/admin_socket.hpp"

namespace http {

/// Runs one request against the actors: "account add" (email, plan), "key add" (account, name), "project
/// save" (project), "result quarantine" (project).
AdminResult administer(caf::actor_system& system, const actors::Service& service,
                       const AdminRequest& request);

/// Sends the request to the server of the data directory, or, when nobody answers there, opens the store
/// itself.
AdminResult administer(const std::string& data_dir, const AdminRequest& request);

}  // namespace http
