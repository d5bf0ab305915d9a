#include "http/wire/acceptor.hpp"

#include <fcntl.h>
#include <pthread.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <thread>
#include <utility>

namespace http {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

constexpr int kBacklog = 1024;  // with 128, some of a thousand simultaneous clients wait for seconds
constexpr auto kPause = std::chrono::milliseconds(50);

tcp::endpoint endpoint_of(asio::io_context& context, const std::string& address, std::uint16_t port) {
  if (address == "*") return {tcp::v4(), port};
  tcp::resolver resolver(context);
  return resolver.resolve(address, std::to_string(port), tcp::resolver::passive)->endpoint();
}

}  // namespace

struct Acceptor::Impl {
  Impl(const std::string& address, std::uint16_t port, OnConnection taker)
      : listener(context), pause(context), on_connection(std::move(taker)) {
    const tcp::endpoint endpoint = endpoint_of(context, address, port);
    listener.open(endpoint.protocol());
    ::fcntl(listener.native_handle(), F_SETFD, FD_CLOEXEC);
    listener.set_option(tcp::acceptor::reuse_address(true));
    listener.set_option(tcp::no_delay(true));  // accepted connections inherit it
    listener.bind(endpoint);
    listener.listen(kBacklog);
    listening_on = listener.local_endpoint().port();
  }

  void accept_next() {
    listener.async_accept([this](const boost::system::error_code& error, tcp::socket socket) {
      if (!listener.is_open()) return;
      if (!error) {
        take(std::move(socket));
        return accept_next();
      }
      // No descriptor is left, or the other end has gone: pause, or this would loop without end.
      pause.expires_after(kPause);
      pause.async_wait([this](const boost::system::error_code&) {
        if (listener.is_open()) accept_next();
      });
    });
  }

  void take(tcp::socket socket) {
    boost::system::error_code gone;
    const auto other_end = socket.remote_endpoint(gone);
    if (gone) return;
    socket.native_non_blocking(true, gone);
    ::fcntl(socket.native_handle(), F_SETFD, FD_CLOEXEC);
    const int descriptor = socket.release(gone);
    if (!gone) on_connection(descriptor, other_end.address().to_string());
  }

  asio::io_context context{1};
  tcp::acceptor listener;
  asio::steady_timer pause;
  OnConnection on_connection;
  std::uint16_t listening_on = 0;
  std::thread thread;
};

Acceptor::Acceptor(const std::string& address, std::uint16_t port, OnConnection on_connection)
    : impl_(std::make_unique<Impl>(address, port, std::move(on_connection))) {
  impl_->accept_next();
  impl_->thread = std::thread([impl = impl_.get()] {
    ::pthread_setname_np(::pthread_self(), "accept");
    impl->context.run();
  });
}

Acceptor::~Acceptor() { close(); }

std::uint16_t Acceptor::port() const { return impl_->listening_on; }

void Acceptor::close() {
  if (!impl_->thread.joinable()) return;
  asio::post(impl_->context, [impl = impl_.get()] {
    impl->listener.close();
    impl->pause.cancel();
  });
  impl_->thread.join();
}

}  // namespace http
