// The reactor threads: Pistache's transport accepts and reads; writing, time-outs and closing are ours, in
// the thread that owns the descriptors.
#pragma once
#include <pistache/tcp.h>
#include <pistache/transport.h>

#include <atomic>
#include <memory>

#include "http/server.hpp"
#include "http/tls.hpp"

namespace http {

/// What all reactor threads of a server share.
struct Reactors {
  ServerOptions options;
  std::shared_ptr<const TlsContext> tls;  ///< null without TLS
  ServerHandlers handlers;
  std::shared_ptr<Responder::Rules> rules;
  std::atomic<std::uint32_t> connections{0};
};

/// What Pistache's listener clones for every reactor thread.
std::shared_ptr<Pistache::Tcp::Transport> make_transport(const std::shared_ptr<Reactors>& reactors);
std::shared_ptr<Pistache::Tcp::Handler> make_handler(const std::shared_ptr<Reactors>& reactors);

}  // namespace http
