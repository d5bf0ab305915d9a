// What operators ask of the service by commands: a running one hears them at its door (admin_socket.hpp), of
// a stopped one the command itself opens the store (commands/administer.hpp). Both ways end here.
#pragma once
#include <caf/actor_system.hpp>

#include "actors/service.hpp"
#include "http/operators/admin_socket.hpp"
#include "persistence/store.hpp"

namespace http {

/// Runs one request against the actors and the store: "account add" (email, plan), "key add" (account, name),
/// "key list" (account), "key revoke" (account, key), "backup" (to), "inspect" (record; empty: all tables),
/// "project save" (project), "result quarantine" and "result discard" (project), "result export" (project,
/// to).
AdminResult administer(caf::actor_system& system, const actors::Service& service,
                       const persistence::Store& store, const AdminRequest& request);

}  // namespace http
