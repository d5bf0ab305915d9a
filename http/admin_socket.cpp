#include "http/admin_socket.hpp"

#include <simdjson.h>
#include <sys/stat.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <filesystem>
#include <istream>
#include <thread>

#include "http/json.hpp"

namespace http {

namespace asio = boost::asio;
using Protocol = asio::local::stream_protocol;

namespace {

constexpr std::size_t kRequestMax = 64U << 10U;
constexpr std::size_t kAnswerMax = 64U << 20U;  // may list many keys
constexpr auto kPatience = std::chrono::seconds(5);
constexpr auto kPause = std::chrono::milliseconds(100);

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

std::string line_in(asio::streambuf& buffer) {
  std::istream in(&buffer);
  std::string line;
  std::getline(in, line);
  return line;
}

/// One command at the door. Nobody waits for it: what it does not send or take in time ends it.
struct Visit {
  explicit Visit(asio::io_context& context) : peer(context), patience(context) {}
  void limit_time(const std::shared_ptr<Visit>& self) {
    patience.expires_after(kPatience);
    patience.async_wait([self](const boost::system::error_code& cancelled) {
      boost::system::error_code ignored;
      if (!cancelled) self->peer.close(ignored);
    });
  }
  Protocol::socket peer;
  asio::steady_timer patience;
  asio::streambuf request{kRequestMax};
  std::string answer;
};
using VisitPtr = std::shared_ptr<Visit>;

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
  asio::steady_timer pause{context};
  std::string path;
  Handle handle;
  std::thread thread;

  void accept_next() {
    const auto visit = std::make_shared<Visit>(context);
    acceptor.async_accept(visit->peer, [this, visit](const boost::system::error_code& error) {
      if (error == asio::error::operation_aborted) return;
      if (error) return accept_later();
      listen_to(visit);
      accept_next();
    });
  }
  /// The process has no descriptor left, say: that passes.
  void accept_later() {
    pause.expires_after(kPause);
    pause.async_wait([this](const boost::system::error_code& cancelled) {
      if (!cancelled) accept_next();
    });
  }
  void listen_to(const VisitPtr& visit) const {
    visit->limit_time(visit);
    asio::async_read_until(visit->peer, visit->request, '\n',
                           [this, visit](const boost::system::error_code& error, std::size_t) {
                             visit->patience.cancel();
                             if (!error) answer(visit);
                           });
  }
  void answer(const VisitPtr& visit) const {
    const auto request = request_of(line_in(visit->request));
    visit->answer = line_of(request ? handle(*request) : AdminResult{false, "not understood"});
    visit->limit_time(visit);
    asio::async_write(visit->peer, asio::buffer(visit->answer),
                      [visit](const boost::system::error_code&, std::size_t) { visit->patience.cancel(); });
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
  asio::streambuf buffer(kAnswerMax);
  asio::read_until(socket, buffer, '\n', error);
  return error ? std::nullopt : result_of(line_in(buffer));
}

}  // namespace http
