// A real HTTP server on loopback that answers as a test says: rightly, slowly, wrongly or not at all. It
// stands for the services and data servers that the program asks.
#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <condition_variable>
#include <fstream>
#include <functional>
#include <iterator>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace test {

class LoopbackServer {
 public:
  using Request = boost::beast::http::request<boost::beast::http::string_body>;
  struct Answer {
    int status = 200;
    std::string body;
    std::vector<std::pair<std::string, std::string>> headers;
    bool hangs = false;       ///< nothing is said until the server ends
    bool hangs_up = false;    ///< the connection is closed without a word
    bool is_garbage = false;  ///< `body` is sent as it is, without a head
    bool stalls = false;      ///< the head and half the body, then nothing
    // How the body comes. Without these it comes at once and whole.
    std::optional<std::size_t> cut_after;      ///< so many bytes of it, then the connection ends
    bool resets = false;                       ///< and ends as when a machine fails (RST)
    std::optional<std::uint64_t> told_length;  ///< another Content-Length than the true one
    bool tells_no_length = false;              ///< the connection's end is the body's
    bool endless = false;                      ///< the body over and over, without a length
    std::size_t drop_bytes = 0;                ///< so many at a time, 0: all
    std::chrono::milliseconds drop_pause{0};   ///< between them
    std::chrono::milliseconds thinks_for{0};   ///< before the head
  };
  using Handler = std::function<Answer(const Request&)>;

  explicit LoopbackServer(Handler handler)
      : handler_(std::move(handler)), acceptor_(io_, {boost::asio::ip::address_v4::loopback(), 0}) {
    port_ = acceptor_.local_endpoint().port();
    accepting_ = std::thread([this] { accept(); });
  }
  ~LoopbackServer() {
    {
      const std::lock_guard guard(mutex_);
      ended_ = true;
      for (auto& socket : sockets_) shut(socket);
    }
    end_.notify_all();
    wake_acceptor();
    accepting_.join();
    for (auto& thread : threads_) thread.join();
  }
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;

  std::string url(const std::string& path = "/") const {
    return "http://127.0.0.1:" + std::to_string(port_) + path;
  }
  int requests() const { return requests_; }
  int connections() const { return connections_; }
  int most_at_once() const { return most_at_once_; }  ///< requests whose answers were under way

 private:
  using Tcp = boost::asio::ip::tcp;
  static void shut(Tcp::socket& socket) {
    boost::system::error_code ignored;
    socket.shutdown(Tcp::socket::shutdown_both, ignored);
  }
  void wake_acceptor() {
    boost::system::error_code ignored;
    Tcp::socket last(io_);
    last.connect({boost::asio::ip::address_v4::loopback(), port_}, ignored);
  }

  void accept() {
    for (;;) {
      boost::system::error_code error;
      Tcp::socket socket(io_);
      acceptor_.accept(socket, error);
      const std::lock_guard guard(mutex_);
      if (ended_ || error) return;
      ++connections_;
      sockets_.push_back(std::move(socket));
      threads_.emplace_back([this, &mine = sockets_.back()] { serve(mine); });
    }
  }

  void serve(Tcp::socket& socket) {
    boost::beast::flat_buffer buffer;
    for (bool more = true; more;) {
      Request request;
      boost::system::error_code error;
      boost::beast::http::read(socket, buffer, request, error);
      if (error) break;
      ++requests_;
      const int now = ++under_way_;
      for (int most = most_at_once_; most < now && !most_at_once_.compare_exchange_weak(most, now);) {
      }
      more = answer(socket, request);
      --under_way_;
    }
    shut(socket);
  }

  /// Whether the connection is kept.
  bool answer(Tcp::socket& socket, const Request& request) {
    const Answer answer = handler_(request);
    if (answer.hangs) await_end();
    if (answer.hangs || answer.hangs_up) return false;
    boost::system::error_code error;
    if (answer.is_garbage) {
      boost::asio::write(socket, boost::asio::buffer(answer.body), error);
      return false;
    }
    await_end_for(answer.thinks_for);
    const std::string head = head_of(answer);
    const bool bodyless = request.method() == boost::beast::http::verb::head;
    const std::size_t half = answer.stalls ? answer.body.size() / 2 : answer.body.size();
    const std::size_t length = bodyless ? 0 : std::min(half, answer.cut_after.value_or(half));
    if (answer.drop_bytes == 0 && !answer.endless) {
      const std::array parts{boost::asio::buffer(head), boost::asio::buffer(answer.body.data(), length)};
      boost::asio::write(socket, parts, error);
    } else {
      boost::asio::write(socket, boost::asio::buffer(head), error);
      do send_drops(socket, answer, length, error);
      while (answer.endless && !error);
    }
    if (answer.stalls) await_end();
    if (answer.resets)
      socket.set_option(boost::asio::socket_base::linger(true, 0), error), socket.close(error);
    return !error && !answer.stalls && !answer.cut_after && !answer.tells_no_length && !answer.resets;
  }

  static std::string head_of(const Answer& answer) {
    std::string head = "HTTP/1.1 " + std::to_string(answer.status) + " -\r\n";
    for (const auto& [name, value] : answer.headers) head += name + ": " + value + "\r\n";
    if (answer.tells_no_length || answer.endless) return head + "Connection: close\r\n\r\n";
    return head + "Content-Length: " + std::to_string(answer.told_length.value_or(answer.body.size())) +
           "\r\n\r\n";
  }

  void send_drops(Tcp::socket& socket, const Answer& answer, std::size_t length,
                  boost::system::error_code& error) {
    const std::size_t drop = answer.drop_bytes ? answer.drop_bytes : length;
    for (std::size_t at = 0; at < length && !error; at += drop) {
      boost::asio::write(socket, boost::asio::buffer(answer.body.data() + at, std::min(drop, length - at)),
                         error);
      if (await_end_for(answer.drop_pause)) error = boost::asio::error::operation_aborted;
    }
  }

  /// Whether the server ends.
  bool await_end_for(std::chrono::milliseconds time) {
    if (time.count() == 0) return false;
    std::unique_lock lock(mutex_);
    return end_.wait_for(lock, time, [this] { return ended_; });
  }

  void await_end() {
    std::unique_lock lock(mutex_);
    end_.wait(lock, [this] { return ended_; });
  }

  Handler handler_;
  boost::asio::io_context io_;
  Tcp::acceptor acceptor_;
  std::uint16_t port_ = 0;
  std::atomic<int> requests_{0}, connections_{0}, under_way_{0}, most_at_once_{0};
  std::mutex mutex_;
  std::condition_variable end_;
  bool ended_ = false;
  std::list<Tcp::socket> sockets_;
  std::list<std::thread> threads_;
  std::thread accepting_;
};

/// Answers with a file, or the range of it that is asked for (RFC 9110, 14), as a static file server does.
inline LoopbackServer::Answer file_answer(const std::string& path, const LoopbackServer::Request& request) {
  std::ifstream in(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  LoopbackServer::Answer answer{.headers = {{"Accept-Ranges", "bytes"}}};
  const std::string range(request[boost::beast::http::field::range]);
  if (!range.starts_with("bytes=")) {
    answer.body = std::move(bytes);
    return answer;
  }
  const auto dash = range.find('-');
  const std::size_t from = std::stoull(range.substr(6, dash - 6));
  const std::size_t last =
      std::min(bytes.size() - 1, static_cast<std::size_t>(std::stoull(range.substr(dash + 1))));
  answer.status = 206;
  answer.headers.emplace_back("Content-Range", "bytes " + std::to_string(from) + "-" + std::to_string(last) +
                                                   "/" + std::to_string(bytes.size()));
  answer.body = bytes.substr(from, last - from + 1);
  return answer;
}

}  // namespace test
