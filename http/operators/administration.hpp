// What operators ask of the service by commands. A running service gets them through its socket
// (admin_socket.hpp); for a stopped one the command opens the store itself (commands/administer.hpp). Both
// ways end here.
#pragma once
#include <caf/actor_system.hpp>

#include "actors/service.hpp"
#include "http/operators/admin_socket.hpp"
#include "persistence/store.hpp"

namespace http {

/// Runs one request against the actors and the store: "account add" (email, plan), "key add" (account, name),
/// "key list" (account), "key revoke" (account, key), "backup" (to), "inspect" (record; empty: all tables),
/// "project save" (project), "result quarantine" and "result discard" (project), "result export" (project,
/// to), "result give-up".
AdminResult administer(caf::actor_system& system, const actors::Service& service, persistence::Store& store,
                       const AdminRequest& request);

}  // namespace http
