#include "http/operators/admin_socket.hpp"

#include <fcntl.h>
#include <simdjson.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <filesystem>
#include <istream>
#include <thread>

#include "http/api/json.hpp"

namespace http {

namespace asio = boost::asio;
using Protocol = asio::local::stream_protocol;

namespace {

constexpr std::size_t kRequestMax = 64U << 10U;
constexpr std::size_t kAnswerMax = 64U << 20U;  // a list of keys may be long
constexpr auto kPatienceWithClient = std::chrono::seconds(5);
constexpr auto kPause = std::chrono::milliseconds(100);
constexpr auto kSignOfLife = std::chrono::seconds(1);
constexpr auto kSilence =
    std::chrono::seconds(15);  // much longer than the gap between signs of life, even on a busy machine
constexpr std::size_t kCommandsAtOnce = 8;

constexpr auto kName = "/roofd.sock";

/// A directory that is held open: it gives a socket in it a short path, however long the directory's own path
/// is. The kernel allows 107 bytes.
class Door {
 public:
  explicit Door(const std::string& directory)
      : descriptor_(::open(directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {}
  ~Door() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Door(const Door&) = delete;
  Door& operator=(const Door&) = delete;
  Protocol::endpoint endpoint() const {
    return Protocol::endpoint("/proc/self/fd/" + std::to_string(descriptor_) + kName);
  }

 private:
  int descriptor_;
};

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

/// One command's connection. Its time for sending and taking is limited, so nobody has to wait for it.
struct Visit {
  explicit Visit(asio::io_context& context) : peer(context), patience(context) {}
  void limit_time(const std::shared_ptr<Visit>& self) {
    patience.expires_after(kPatienceWithClient);
    patience.async_wait([self](const boost::system::error_code& cancelled) {
      boost::system::error_code ignored;
      if (!cancelled) self->peer.close(ignored);
    });
  }
  Protocol::socket peer;
  asio::steady_timer patience;
  bool answered = false;  // the command has ended
  bool showing = false;   // a sign of life is being written
  AdminResult result;
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
  asio::thread_pool commands{kCommandsAtOnce};  // none waits for another
  std::atomic<std::size_t> at_work{0};
  std::thread thread;  // runs the context: all input and output of the visits

  void accept_next() {
    const auto visit = std::make_shared<Visit>(context);
    acceptor.async_accept(visit->peer, [this, visit](const boost::system::error_code& error) {
      if (error == asio::error::operation_aborted) return;
      if (error) return accept_later();
      listen_to(visit);
      accept_next();
    });
  }
  /// Accepting failed, for example because no descriptor is free: try again after a pause.
  void accept_later() {
    pause.expires_after(kPause);
    pause.async_wait([this](const boost::system::error_code& cancelled) {
      if (!cancelled) accept_next();
    });
  }
  void listen_to(const VisitPtr& visit) {
    visit->limit_time(visit);
    asio::async_read_until(visit->peer, visit->request, '\n',
                           [this, visit](const boost::system::error_code& error, std::size_t) {
                             visit->patience.cancel();
                             if (!error) take(visit);
                           });
  }
  void take(const VisitPtr& visit) {
    const auto request = request_of(line_in(visit->request));
    if (!request) return answer(visit, {false, "not understood"});
    if (at_work == kCommandsAtOnce)
      return answer(visit, {false, "the server works on as many commands as it can at once: try again"});
    ++at_work;
    show_life(visit);
    asio::post(commands, [this, visit, request = *request] {
      const AdminResult result = handle(request);
      --at_work;
      asio::post(context, [this, visit, result] {
        visit->answered = true;
        visit->patience.cancel();
        // A sign of life that is being written comes first: its handler then sends the answer.
        if (!visit->showing)
          answer(visit, result);
        else
          visit->result = result;
      });
    });
  }
  void show_life(const VisitPtr& visit) {
    visit->patience.expires_after(kSignOfLife);
    visit->patience.async_wait([this, visit](const boost::system::error_code&) {
      if (visit->answered) return;
      visit->showing = true;
      asio::async_write(visit->peer, asio::buffer("\n", 1),
                        [this, visit](const boost::system::error_code&, std::size_t) {
                          visit->showing = false;
                          visit->answered ? answer(visit, visit->result) : show_life(visit);
                        });
    });
  }
  void answer(const VisitPtr& visit, const AdminResult& result) const {
    visit->answer = line_of(result);
    visit->limit_time(visit);
    asio::async_write(visit->peer, asio::buffer(visit->answer),
                      [visit](const boost::system::error_code&, std::size_t) { visit->patience.cancel(); });
  }
};

AdminSocket::AdminSocket(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

AdminSocket::~AdminSocket() {
  impl_->commands.join();
  impl_->context.stop();
  if (impl_->thread.joinable()) impl_->thread.join();
  std::error_code ignored;
  std::filesystem::remove(impl_->path, ignored);
}

tl::expected<std::unique_ptr<AdminSocket>, std::string> AdminSocket::listen(const std::string& directory,
                                                                            Handle handle) {
  auto impl = std::make_unique<Impl>();
  impl->path = directory + kName;
  impl->handle = std::move(handle);
  std::error_code ignored;
  std::filesystem::remove(impl->path, ignored);  // the store's lock guarantees that no other server is alive
  try {
    impl->acceptor.open();
    impl->acceptor.bind(Door(directory).endpoint());
    ::chmod(impl->path.c_str(), S_IRUSR | S_IWUSR);
    impl->acceptor.listen();
  } catch (const std::exception& error) {
    return tl::make_unexpected(impl->path + ": " + error.what());
  }
  impl->accept_next();
  impl->thread = std::thread([raw = impl.get()] { raw->context.run(); });
  return std::unique_ptr<AdminSocket>(new AdminSocket(std::move(impl)));
}

std::optional<AdminResult> AdminSocket::ask(const std::string& directory, const AdminRequest& request) {
  asio::io_context context;
  Protocol::socket socket(context);
  boost::system::error_code error;
  socket.connect(Door(directory).endpoint(), error);
  if (error) return {};
  asio::write(socket, asio::buffer(line_of(request)), error);
  if (error) return {};
  asio::streambuf buffer(kAnswerMax);
  while (true) {
    bool heard = false;
    asio::async_read_until(socket, buffer, '\n', [&](const boost::system::error_code& fault, std::size_t) {
      heard = true;
      error = fault;
    });
    context.restart();
    context.run_for(kSilence);
    if (!heard) return AdminResult{false, "the server has taken the command and says nothing any more"};
    if (error) return {};
    if (const std::string line = line_in(buffer); !line.empty()) return result_of(line);
  }
}

}  // namespace http
