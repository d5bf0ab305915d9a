#include "http/wire/server.hpp"

#include <pistache/peer.h>
#include <pistache/reactor.h>
#include <unistd.h>

#include <thread>
#include <utility>
#include <vector>

#include "http/wire/acceptor.hpp"
#include "http/wire/transport.hpp"

namespace http {

namespace pi = Pistache;

struct Server::Impl {
  std::shared_ptr<Reactors> reactors;
  std::shared_ptr<pi::Aio::Reactor> threads;
  std::vector<std::shared_ptr<pi::Tcp::Transport>> transports;  // one a thread
  std::unique_ptr<Acceptor> acceptor;
  bool running = false;

  void start_threads();
  void take(int descriptor, const std::string& address);
};

namespace {

std::shared_ptr<Reactors> reactors_of(const ServerOptions& options, ServerHandlers handlers) {
  auto reactors = std::make_shared<Reactors>(ConnectionPlaces::Bounds{
      options.connections_max, options.connections_per_address, AddressList(options.proxies)});
  reactors->options = options;
  reactors->handlers = std::move(handlers);
  reactors->rules = std::make_shared<Responder::Rules>();
  reactors->rules->on_silence = reactors->handlers.on_silence;
  reactors->rules->on_answered = reactors->handlers.on_answered;
  return reactors;
}

}  // namespace

void Server::Impl::start_threads() {
  threads = pi::Aio::Reactor::create();
  threads->init(pi::Aio::AsyncContext(reactors->options.threads, "http"));
  const auto key = threads->addHandler(make_transport(reactors));
  for (const auto& handler : threads->handlers(key))
    transports.push_back(std::static_pointer_cast<pi::Tcp::Transport>(handler));
  threads->run();
}

void Server::Impl::take(int descriptor, const std::string& address) {
  try {
    if (auto place = reactors->places.take(address)) {
      const auto peer = pi::Tcp::Peer::Create(descriptor, pi::Address());
      peer->putData(kPlaceKey, std::move(place));
      return transports[static_cast<std::size_t>(descriptor) % transports.size()]->handleNewPeer(peer);
    }
  } catch (const std::exception&) {
    // No memory for one more connection: it is closed, the others go on.
  }
  ::close(descriptor);
}

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() { stop(); }

tl::expected<std::unique_ptr<Server>, std::string> Server::start(const ServerOptions& options,
                                                                 ServerHandlers handlers) {
  auto impl = std::make_unique<Impl>();
  impl->reactors = reactors_of(options, std::move(handlers));
  auto server = std::unique_ptr<Server>(new Server(std::move(impl)));
  if (const auto usable = server->renew_certificate(); !usable) return tl::make_unexpected(usable.error());
  server->impl_->start_threads();
  server->impl_->running = true;
  Impl& running = *server->impl_;
  try {
    running.acceptor = std::make_unique<Acceptor>(
        options.address, options.port,
        [&running](int descriptor, const std::string& address) { running.take(descriptor, address); });
  } catch (const std::exception& error) {
    return tl::make_unexpected("--" + options.group + ".address, --" + options.group +
                               ".port: " + options.address + ":" + std::to_string(options.port) +
                               " cannot be listened on (" + error.what() + ")");
  }
  return server;
}

tl::expected<void, std::string> Server::renew_certificate() {
  const ServerOptions& options = impl_->reactors->options;
  if (options.tls_cert.empty()) return {};
  auto tls = TlsContext::load(options.tls_cert, options.tls_key);
  if (!tls) return tl::make_unexpected(tls.error());
  impl_->reactors->tls = std::move(*tls);
  return {};
}

std::optional<std::chrono::system_clock::time_point> Server::certificate_ends() const {
  const auto tls = impl_->reactors->tls.load();
  return tls ? std::optional(tls->ends()) : std::nullopt;
}

std::uint16_t Server::port() const { return impl_->acceptor->port(); }

std::uint32_t Server::connections() const { return impl_->reactors->places.taken(); }
std::int64_t Server::under_way() const { return impl_->reactors->rules->under_way; }

std::size_t Server::untaken_bytes() const { return impl_->reactors->held; }

void Server::close_listener() {
  if (impl_->acceptor) impl_->acceptor->close();
}

void Server::finish(std::chrono::milliseconds most) {
  constexpr auto kLook = std::chrono::milliseconds(5);
  close_listener();
  impl_->reactors->finish();
  const auto end = std::chrono::steady_clock::now() + most;
  while (connections() > 0 && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(kLook);
}

void Server::stop() {
  close_listener();
  if (!std::exchange(impl_->running, false)) return;
  impl_->threads->shutdown();
  impl_->transports.clear();
  impl_->threads.reset();  // waits for them
}

}  // namespace http
