#include "http/admin_socket.hpp"

#include <simdjson.h>
#include <sys/stat.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/write.hpp>
#include <filesystem>
#include <istream>
#include <thread>

#include "http/json.hpp"

namespace http {

namespace asio = boost::asio;
using Protocol = asio::local::stream_protocol;

namespace {

constexpr std::size_t kLineMax = 64U << 20U;  // an answer may list many keys

std::string path_of(const std::string& directory) { return directory + "/roofd.sock"; }

std::string line_of(const AdminRequest& request) {
  Json json;
  json.begin_object();
  for (const auto& [name, value] : request) json.field(name, value);
  return json.end_object().str() + "\n";
}

std::string line_of(const AdminResult& result) {
  Json json;
  return json.begin_object().field("ok", result.ok).field("text", result.text).end_object().str() + "\n";
}

template <class Stream>
std::string read_line(Stream& stream) {
  asio::streambuf buffer(kLineMax);
  boost::system::error_code error;
  asio::read_until(stream, buffer, '\n', error);
  std::istream in(&buffer);
  std::string line;
  std::getline(in, line);
  return error ? std::string() : line;
}

std::optional<AdminRequest> request_of(const std::string& line) {
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  if (parser.parse(line).get(object) != simdjson::SUCCESS) return {};
  AdminRequest request;
  for (const auto field : object) {
    std::string_view value;
    if (field.value.get(value) != simdjson::SUCCESS) return {};
    request[std::string(field.key)] = std::string(value);
  }
  return request;
}

std::optional<AdminResult> result_of(const std::string& line) {
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  AdminResult result;
  std::string_view text;
  if (parser.parse(line).get(object) != simdjson::SUCCESS ||
      object["ok"].get(result.ok) != simdjson::SUCCESS || object["text"].get(text) != simdjson::SUCCESS)
    return {};
  result.text = std::string(text);
  return result;
}

}  // namespace

struct AdminSocket::Impl {
  asio::io_context context;
  Protocol::acceptor acceptor{context};
  std::string path;
  Handle handle;
  std::thread thread;

  void accept_next() {
    auto peer = std::make_shared<Protocol::socket>(context);
    acceptor.async_accept(*peer, [this, peer](const boost::system::error_code& error) {
      if (error) return;
      serve(*peer);
      accept_next();
    });
  }
  void serve(Protocol::socket& peer) const {
    // A command that hangs must not keep the next one out.
    const timeval patience{5, 0};
    ::setsockopt(peer.native_handle(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    const auto request = request_of(read_line(peer));
    boost::system::error_code ignored;
    asio::write(peer,
                asio::buffer(line_of(request ? handle(*request) : AdminResult{false, "not understood"})),
                ignored);
  }
};

AdminSocket::AdminSocket(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

AdminSocket::~AdminSocket() {
  impl_->context.stop();
  if (impl_->thread.joinable()) impl_->thread.join();
  std::error_code ignored;
  std::filesystem::remove(impl_->path, ignored);
}

std::unique_ptr<AdminSocket> AdminSocket::listen(const std::string& directory, Handle handle) {
  auto impl = std::make_unique<Impl>();
  impl->path = path_of(directory);
  impl->handle = std::move(handle);
  std::error_code ignored;
  std::filesystem::remove(impl->path, ignored);  // the store's lock says that no other server is alive
  try {
    impl->acceptor.open();
    impl->acceptor.bind(Protocol::endpoint(impl->path));
    ::chmod(impl->path.c_str(), S_IRUSR | S_IWUSR);
    impl->acceptor.listen();
  } catch (const std::exception&) {
    return nullptr;
  }
  impl->accept_next();
  impl->thread = std::thread([raw = impl.get()] { raw->context.run(); });
  return std::unique_ptr<AdminSocket>(new AdminSocket(std::move(impl)));
}

std::optional<AdminResult> AdminSocket::ask(const std::string& directory, const AdminRequest& request) {
  asio::io_context context;
  Protocol::socket socket(context);
  boost::system::error_code error;
  socket.connect(Protocol::endpoint(path_of(directory)), error);
  if (error) return {};
  asio::write(socket, asio::buffer(line_of(request)), error);
  if (error) return {};
  return result_of(read_line(socket));
}

}  // namespace http
