#include "http/server.hpp"

#include <pistache/listener.h>

#include <utility>

#include "http/transport.hpp"

namespace http {

namespace pi = Pistache;

namespace {

constexpr int kBacklog = 1024;  // with Pistache's 128, of a thousand that come at once some wait for seconds

}  // namespace

struct Server::Impl {
  std::shared_ptr<Reactors> reactors;
  pi::Tcp::Listener listener;
  bool running = false;
};

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() { stop(); }

tl::expected<std::unique_ptr<Server>, std::string> Server::start(const ServerOptions& options,
                                                                 ServerHandlers handlers) {
  auto impl = std::make_unique<Impl>();
  impl->reactors = std::make_shared<Reactors>();
  impl->reactors->options = options;
  impl->reactors->handlers = std::move(handlers);
  impl->reactors->rules = std::make_shared<Responder::Rules>();
  impl->reactors->rules->on_silence = impl->reactors->handlers.on_silence;
  impl->reactors->rules->on_answered = impl->reactors->handlers.on_answered;
  if (!options.tls_cert.empty()) {
    auto tls = TlsContext::load(options.tls_cert, options.tls_key);
    if (!tls) return tl::make_unexpected(tls.error());
    impl->reactors->tls = std::move(*tls);
  }
  try {
    using pi::Tcp::Options;
    const auto flags = pi::Flags<Options>(Options::ReuseAddr) | Options::NoDelay | Options::CloseOnExec;
    impl->listener.init(options.threads, flags, "http", kBacklog);
    impl->listener.setHandler(make_handler(impl->reactors));
    impl->listener.setTransportFactory([reactors = impl->reactors] { return make_transport(reactors); });
    impl->listener.bind(pi::Address(options.address, pi::Port(options.port)));
    impl->listener.runThreaded();
  } catch (const std::exception& error) {
    return tl::make_unexpected("--" + options.group + ".address, --" + options.group +
                               ".port: " + options.address + ":" + std::to_string(options.port) +
                               " cannot be listened on (" + error.what() + ")");
  }
  impl->running = true;
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

std::uint16_t Server::port() const { return impl_->listener.getPort(); }

std::uint32_t Server::connections() const { return impl_->reactors->connections; }
std::int64_t Server::under_way() const { return impl_->reactors->rules->under_way; }

void Server::stop() {
  if (std::exchange(impl_->running, false)) impl_->listener.shutdown();
}

}  // namespace http
