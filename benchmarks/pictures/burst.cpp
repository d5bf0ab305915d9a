// What a burst of 500 picture requests does to status queries, over sockets on the real program: the median
// of queries on one kept connection alone, and while 500 connections ask for 500 different pictures at once.
// Target: `ratio` not above 1.5. `drawn` says how many of the 500 were drawn, the others got a 503; with a
// line as long as the burst all are drawn.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <future>

#include "tests/http/service/running_service.hpp"

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using Clock = std::chrono::steady_clock;

constexpr int kBurst = 500;
constexpr int kQueriesAlone = 3000;

/// One kept connection that asks again and again.
class StatusClient {
 public:
  StatusClient(std::uint16_t port, const std::string& path, const std::string& key)
      : request_("GET /api/v1" + path + " HTTP/1.1\r\nHost: localhost\r\nX-API-Key: " + key + "\r\n\r\n") {
    stream_.connect({asio::ip::make_address("127.0.0.1"), port});
    stream_.socket().set_option(asio::ip::tcp::no_delay(true));
  }
  double ask_us() {
    const auto began = Clock::now();
    asio::write(stream_.socket(), asio::buffer(request_));
    beast::http::response<beast::http::string_body> response;
    beast::http::read(stream_, buffer_, response);
    if (response.result_int() != 200) throw std::runtime_error("a status query was not answered with 200");
    return std::chrono::duration<double, std::micro>(Clock::now() - began).count();
  }

 private:
  std::string request_;
  asio::io_context context_;
  beast::tcp_stream stream_{context_};
  beast::flat_buffer buffer_;
};

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

void burst_of_pictures(benchmark::State& state) {
  test::RunningService service({"--limits.media-per-hour=0", "--limits.status-per-hour=0",
                                "--limits.address-per-hour=0", "--limits.address-per-day=0",
                                "--http.deadline=600",
                                "--render.waiting-max=" + std::to_string(state.range(0))});
  const std::string key = service.new_key();
  const std::uint64_t project = service.create(key, 0).json()["projekt_id"];
  const std::string base = "/projekte/" + std::to_string(project);
  if (service.await_result(key, project).status != 200) return state.SkipWithError("the analysis failed");
  for (auto _ : state) {
    StatusClient client(service.port(), base + "/dachanalyse", key);
    std::vector<double> alone, during;
    for (int i = 0; i < kQueriesAlone; ++i) alone.push_back(client.ask_us());
    std::vector<std::string> paths;
    for (int i = 0; i < kBurst; ++i)
      paths.push_back(base + "/bilder/uebersicht?format=png&breite=" + std::to_string(600 + i));
    std::atomic<bool> over = false;
    auto burst = std::async(std::launch::async, [&] {
      auto replies = service.get_all_at_once(paths, key);
      over = true;
      return replies;
    });
    while (!over) during.push_back(client.ask_us());
    int drawn = 0;
    for (const test::Reply& reply : burst.get()) drawn += reply.status == 200;
    state.counters["alone_us"] = median(alone);
    state.counters["during_us"] = median(during);
    state.counters["ratio"] = median(during) / median(alone);
    state.counters["queries"] = static_cast<double>(during.size());
    state.counters["drawn"] = drawn;
  }
}
BENCHMARK(burst_of_pictures)->ArgName("line")->Arg(60)->Arg(kBurst)->Iterations(1)->Unit(benchmark::kSecond);

}  // namespace
