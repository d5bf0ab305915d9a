// What a request costs between the socket and the actors, and what its answer costs on the way back.
#include <benchmark/benchmark.h>

#include "http/api/forms.hpp"
#include "http/api/result.hpp"
#include "http/api/routes.hpp"
#include "http/operators/request_log.hpp"
#include "http/wire/connection.hpp"
#include "tests/sample_analysis.hpp"

namespace {

using namespace http;

constexpr std::string_view kStatusQuery =
    "GET /api/v1/projekte/4711/dachanalyse HTTP/1.1\r\nHost: localhost\r\n"
    "X-API-Key: dach_00000000004UtkqgdDZa9RQx674xSBlgeXdvIOCiKbR\r\nAccept: application/json\r\n\r\n";
constexpr std::string_view kBody =
    R"({"name":"Haus","adresse":"Musterstraße 1, 1010 Wien","jahresverbrauch_kwh":4500,"lastprofil":"H0"})";

/// Bytes to a request, an answer of so many bytes, and its bytes.
void connection(benchmark::State& state) {
  const Response response{.body = std::string(static_cast<std::size_t>(state.range(0)), 'x')};
  const auto now = std::chrono::steady_clock::now();
  std::uint64_t asked = 0;
  Connection connection(
      "127.0.0.1", {},
      [&](Request&& request, std::uint64_t number) {
        benchmark::DoNotOptimize(request);
        asked = number;
      },
      [](WireFault, const std::string&) { return Response{.status = 400}; });
  for (auto _ : state) {
    connection.receive(kStatusQuery, now);
    connection.answer(asked, response, now);
    benchmark::DoNotOptimize(connection.output());
    connection.output().clear();
  }
}
BENCHMARK(connection)->Arg(300)->Arg(3000)->Arg(100'000);

void route(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(find_route("GET", "/projekte/4711/dachanalyse"));
}
BENCHMARK(route);

void creation_form(benchmark::State& state) {
  Request request;
  request.method = "POST";
  request.headers = {{"content-type", "application/json"}};
  request.body = kBody;
  for (auto _ : state) benchmark::DoNotOptimize(read_create_project(request));
}
BENCHMARK(creation_form);

void log_line(benchmark::State& state) {
  const Exchange exchange{.id = "0123456789abcdef", .route = &route_table().front(), .method = "GET"};
  for (auto _ : state)
    benchmark::DoNotOptimize(request_line(exchange, 200, 3000, std::chrono::microseconds(850)));
}
BENCHMARK(log_line);

void result_to_json(benchmark::State& state) {
  auto analysis = test::sample_analysis();
  while (analysis.surfaces.size() < static_cast<std::size_t>(state.range(0)))
    analysis.surfaces.push_back(test::sample_surface(static_cast<int>(analysis.surfaces.size()) + 1));
  const persistence::Project project{.id = 1, .account = 1};
  const persistence::Run run{.id = 1, .project = 1, .account = 1};
  for (auto _ : state) benchmark::DoNotOptimize(ergebnis_json({project, run, analysis}, Links()));
}
BENCHMARK(result_to_json)->Arg(2)->Arg(40)->Unit(benchmark::kMicrosecond);

}  // namespace
