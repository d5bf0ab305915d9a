// The server over real sockets of this process: what is under way is bounded, counted and reported.
#include "http/wire/server.hpp"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

namespace {

namespace asio = boost::asio;
using namespace http;

/// Sends one request over a connection of its own; the answer's bytes.
std::string ask(std::uint16_t port) {
  asio::io_context context;
  asio::ip::tcp::socket socket(context);
  socket.connect({asio::ip::make_address("127.0.0.1"), port});
  asio::write(socket, asio::buffer(std::string("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")));
  std::string answer;
  boost::system::error_code end;
  asio::read(socket, asio::dynamic_buffer(answer), end);
  return answer;
}

/// The status of the answer to one request; X-Request-Id is random and may hold the same digits.
std::string status_of_answer(std::uint16_t port) {
  return ask(port).substr(std::string_view("HTTP/1.1 ").size(), 3);
}

/// A service that answers when the test says so.
struct HoldingService {
  std::mutex mutex;
  std::condition_variable arrived;
  std::vector<Responder> held;
  std::atomic<int> answered{0};

  ServerHandlers handlers() {
    return {[this](Request&&, Responder responder) {
              const std::lock_guard guard(mutex);
              held.push_back(std::move(responder));
              arrived.notify_all();
            },
            [](WireFault, const std::string&) { return Response{.status = 503, .body = "busy"}; },
            [](const std::string&) { return Response{.status = 500}; },
            [this](const Exchange&, const Response&) { ++answered; }};
  }
  void wait_for(std::size_t count) {
    std::unique_lock lock(mutex);
    arrived.wait(lock, [&] { return held.size() == count; });
  }
  void answer_all() {
    const std::lock_guard guard(mutex);
    for (Responder& responder : held) responder.send(Response{.body = "done"});
    held.clear();
  }
};

TEST(Server, RefusesAtOnceWhatIsBeyondTheRequestsThatMayBeUnderWay) {
  HoldingService service;
  const auto server = Server::start({.port = 0, .threads = 1, .requests_max = 2}, service.handlers());
  ASSERT_TRUE(server);
  const auto asked = [port = (*server)->port()] { return ask(port); };
  auto first = std::async(std::launch::async, asked);
  auto second = std::async(std::launch::async, asked);
  service.wait_for(2);
  EXPECT_EQ((*server)->under_way(), 2);
  EXPECT_EQ(status_of_answer((*server)->port()), "503") << "while the others still wait";
  EXPECT_EQ((*server)->under_way(), 2) << "the refused one is not under way any more";
  service.answer_all();
  EXPECT_NE(first.get().find("done"), std::string::npos);
  EXPECT_NE(second.get().find("done"), std::string::npos);
  EXPECT_EQ((*server)->under_way(), 0);
  EXPECT_EQ(service.answered, 3) << "a refusal is an answer and is counted";
  auto third = std::async(std::launch::async, asked);
  service.wait_for(1);
  service.answer_all();
  EXPECT_NE(third.get().find("done"), std::string::npos) << "there is room again";
}

TEST(Server, WhoeverLetsGoOfARequestHasAnsweredItAndItIsCountedOnce) {
  std::atomic<int> answered{0};
  const auto server =
      Server::start({.port = 0, .threads = 1},
                    {[](Request&&, const Responder&) {},
                     [](WireFault, const std::string&) { return Response{.status = 400}; },
                     [](const std::string&) { return Response{.status = 500}; },
                     [&](const Exchange&, const Response& response) { answered += response.status == 500; }});
  ASSERT_TRUE(server);
  EXPECT_EQ(status_of_answer((*server)->port()), "500");
  EXPECT_EQ(answered, 1);
  EXPECT_EQ((*server)->under_way(), 0);
}

TEST(Server, FinishesTheAnswersOnTheirWayWhenItTakesNoNewConnections) {
  HoldingService service;
  const auto server = Server::start({.port = 0, .threads = 1}, service.handlers());
  ASSERT_TRUE(server);
  const std::uint16_t port = (*server)->port();
  auto first = std::async(std::launch::async, [port] { return ask(port); });
  service.wait_for(1);
  (*server)->close_listener();
  EXPECT_THROW(ask(port), std::exception) << "nobody listens any more";
  auto finished = std::async(std::launch::async, [&] { (*server)->finish(std::chrono::minutes(5)); });
  service.answer_all();
  EXPECT_NE(first.get().find("done"), std::string::npos);
  finished.get();
  EXPECT_EQ((*server)->connections(), 0U);
}

TEST(Server, RefusesAtOnceWhileTooMuchOfItsAnswersIsNotTaken) {
  const auto server = Server::start(
      {.port = 0, .threads = 1, .output_mb = 1},
      {[](Request&&, Responder responder) { responder.send(Response{.body = std::string(4'000'000, 'a')}); },
       [](WireFault, const std::string&) { return Response{.status = 503, .body = "busy"}; },
       [](const std::string&) { return Response{.status = 500}; }});
  ASSERT_TRUE(server);
  asio::io_context context;
  asio::ip::tcp::socket greedy(context);
  greedy.connect({asio::ip::make_address("127.0.0.1"), (*server)->port()});
  for (int i = 0; i < 16; ++i)
    asio::write(greedy, asio::buffer(std::string("GET / HTTP/1.1\r\nHost: x\r\n\r\n")));
  while ((*server)->untaken_bytes() <= 1U << 20U) std::this_thread::yield();
  EXPECT_EQ(status_of_answer((*server)->port()), "503");
  greedy.close();
  while ((*server)->untaken_bytes() > 0) std::this_thread::yield();
  EXPECT_EQ(status_of_answer((*server)->port()), "200") << "what nobody will take is forgotten";
}

/// Asks `count` times over one connection, each after the last answer; returns how long each answer took.
std::vector<std::chrono::duration<double>> times_of_answers(std::uint16_t port, int count) {
  asio::io_context context;
  asio::ip::tcp::socket socket(context);
  socket.connect({asio::ip::make_address("127.0.0.1"), port});
  std::vector<std::chrono::duration<double>> times;
  std::string answers;
  for (int i = 0; i < count; ++i) {
    const auto began = std::chrono::steady_clock::now();
    asio::write(socket, asio::buffer(std::string("GET / HTTP/1.1\r\nHost: x\r\n\r\n")));
    answers.erase(0, asio::read_until(socket, asio::dynamic_buffer(answers), "\r\n\r\n"));
    times.push_back(std::chrono::steady_clock::now() - began);
  }
  return times;
}

ServerHandlers always(int status) {
  return {[status](Request&&, Responder responder) { responder.send(Response{.status = status}); },
          [](WireFault, const std::string&) { return Response{.status = 400}; },
          [](const std::string&) { return Response{.status = 500}; }};
}

TEST(Server, HoldsBackTheRefusalsOfACallerThatGoesOnAskingAllTheSame) {
  using namespace std::chrono_literals;
  for (const int status : {429, 503}) {
    const auto server = Server::start({.port = 0, .threads = 1}, always(status));
    ASSERT_TRUE(server);
    const auto times = times_of_answers((*server)->port(), 15);
    std::chrono::duration<double> impatient{0};
    for (std::size_t i = 4; i < times.size(); ++i) impatient += times[i];
    // The fastest: a busy machine holds up some answers, the server would hold back all.
    EXPECT_LT(*std::min_element(times.begin(), times.begin() + 4), 100ms) << "a few refusals come at once";
    EXPECT_GT(impatient, 1s) << "six a second at most";
  }
}

TEST(Server, HoldsBackNothingElse) {
  using namespace std::chrono_literals;
  const auto server = Server::start({.port = 0, .threads = 1}, always(404));
  ASSERT_TRUE(server);
  auto times = times_of_answers((*server)->port(), 50);
  std::sort(times.begin(), times.end());
  EXPECT_LT(times[times.size() / 2], 100ms) << "the median: a busy machine holds up some answers";
}

}  // namespace
