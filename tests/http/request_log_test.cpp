// The log of requests: what a line says, and what it never says.
#include "http/operators/request_log.hpp"

#include <gmock/gmock.h>

#include "http/api/routes.hpp"
#include "tests/actors/recording_log.hpp"

namespace {

using namespace http;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Exchange exchange_of(std::string_view path) {
  const Routed routed = find_route("GET", path);
  return {.id = "0123456789abcdef", .route = routed.route, .method = "GET"};
}

TEST(RequestLog, ALineIsLogfmtAndNamesTheRoutesPatternNotThePath) {
  EXPECT_EQ(request_line(exchange_of("/projekte/4711/dachanalyse"), 202, 321, std::chrono::microseconds(1500))
                .text(),
            "msg=request id=0123456789abcdef method=GET route=/projekte/{projekt_id}/dachanalyse status=202 "
            "ms=1.500 "
            "bytes=321");
}

TEST(RequestLog, ARequestThatLeadsNowhereHasNoRoute) {
  EXPECT_THAT(request_line({.id = "a"}, 404, 1, {}).text(), HasSubstr("method=- route=- status=404"));
}

TEST(RequestLog, OurFaultsAreErrorsAndEverythingElseIsInformation) {
  test::RecordingLog log;
  RequestLog requests(LogChoice::all, log);
  requests.write(exchange_of("/lastprofile"), Response{.body = "abc"});
  requests.write(exchange_of("/projekte"), Response{.status = 503});
  EXPECT_THAT(
      log.lines,
      ElementsAre(StartsWith("info msg=request id=0123456789abcdef method=GET route=/lastprofile status=200"),
                  StartsWith("error msg=request id=0123456789abcdef method=GET route=/projekte status=503")));
  EXPECT_THAT(log.lines[0], HasSubstr("bytes=3"));
}

TEST(RequestLog, TheOperatorMayChooseErrorsOrNothing) {
  test::RecordingLog log;
  for (const LogChoice choice : {LogChoice::errors, LogChoice::off}) {
    RequestLog requests(choice, log);
    requests.write(exchange_of("/lastprofile"), Response{.status = 404});
    requests.write(exchange_of("/projekte"), Response{.status = choice == LogChoice::errors ? 500 : 503});
  }
  EXPECT_THAT(log.lines, ElementsAre(HasSubstr("status=500")));
  EXPECT_FALSE(log_choice_of("some"));
}

}  // namespace
