// The operators' pages and the figures of the requests, without sockets.
#include "http/operators/operator_pages.hpp"

#include <gmock/gmock.h>
#include <prometheus/text_serializer.h>

#include "http/operators/request_meters.hpp"

namespace {

using namespace http;
using ::testing::HasSubstr;
using ::testing::Not;

Request to_operators(const std::string& path, const std::string& method = "GET") {
  Request request;
  request.method = method;
  request.path = path;
  return request;
}

TEST(OperatorPages, ReadinessSaysWhyNot) {
  std::optional<std::string> fault;
  const OperatorSources sources{[] { return std::string("x 1\n"); }, [&] { return fault; }};
  EXPECT_EQ(operator_page(to_operators("/readyz"), sources).status, 200);
  fault = "draining";
  EXPECT_EQ(operator_page(to_operators("/readyz"), sources).status, 503);
  EXPECT_EQ(operator_page(to_operators("/readyz"), sources).body, "draining\n");
  EXPECT_EQ(operator_page(to_operators("/healthz"), sources).status, 200) << "it is alive all the same";
}

TEST(OperatorPages, MetricsAreServedInPrometheusTextFormat) {
  const OperatorSources sources{[] { return std::string("x 1\n"); }, [] { return std::nullopt; }};
  const Response page = operator_page(to_operators("/metrics"), sources);
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.body, "x 1\n");
  EXPECT_THAT(page.content_type, HasSubstr("version=0.0.4"));
}

TEST(OperatorPages, OtherPathsAndMethodsAreRefused) {
  const OperatorSources sources{[] { return std::string(); }, [] { return std::nullopt; }};
  EXPECT_EQ(operator_page(to_operators("/api/v1/projekte"), sources).status, 404);
  EXPECT_EQ(operator_page(to_operators("/metrics", "POST"), sources).status, 405);
}

TEST(RequestMeters, CountByEndpointAndStatusWhateverClientsSend) {
  prometheus::Registry registry;
  RequestMeters meters(registry);
  const Routed routed = find_route("GET", "/projekte/17/dachanalyse");
  meters.count({.id = "a", .route = routed.route, .method = "GET"}, 200);
  meters.count({.id = "b", .route = routed.route, .method = "GET"}, 200);
  meters.count({.id = "c", .route = routed.route, .method = "GET"}, 429);
  meters.count({.id = "d"}, 404);
  meters.count({.id = "e"}, 4711);  // no HTTP status: must not be written beyond the table
  const std::string text = prometheus::TextSerializer().Serialize(registry.Collect());
  const std::string series =
      "roof_http_requests_total{method=\"GET\",route=\"/projekte/{projekt_id}/dachanalyse\"";
  EXPECT_THAT(text, HasSubstr(series + ",status=\"200\"} 2"));
  EXPECT_THAT(text, HasSubstr(series + ",status=\"429\"} 1"));
  EXPECT_THAT(text, HasSubstr("roof_http_requests_total{method=\"-\",route=\"-\",status=\"404\"} 1"));
  EXPECT_THAT(text, HasSubstr("roof_http_request_seconds_count{method=\"GET\",route=\"/projekte/{projekt_id}/"
                              "dachanalyse\"} 3"));
  EXPECT_THAT(text, Not(HasSubstr("/17")));  // the path that was asked for; times have any digits
}

}  // namespace
