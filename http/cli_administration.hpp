// What operators ask of a running or a stopped service, in one place: both ways end here.
#pragma once
#include <caf/actor_system.hpp>

#include "actors/service.hpp"
#include "http/admin_socket.hpp"
#include "persistence/store.hpp"

namespace http {

/// Runs one request against the actors and the store: "account add" (email, plan), "key add" (account, name),
/// "key list" (account), "key revoke" (account, key), "backup" (to), "inspect" (record; empty: all tables),
/// "project save" (project), "result quarantine" and "result discard" (project), "result export" (project,
/// to).
AdminResult administer(caf::actor_system& system, const actors::Service& service,
                       const persistence::Store& store, const AdminRequest& request);

/// Sends the request to the server of the data directory, or, when nobody answers there, opens the store
/// itself.
AdminResult administer(const std::string& data_dir, const AdminRequest& request);

}  // namespace http
