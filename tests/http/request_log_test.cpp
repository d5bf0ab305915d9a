// The log of requests: what a line says, what it never says, and that a reader who reads nothing holds up
// nobody.
#include "http/request_log.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <array>

#include "http/routes.hpp"

namespace {

using namespace http;
using ::testing::HasSubstr;

/// Both ends of a pipe.
struct Pipe {
  Pipe() { EXPECT_EQ(::pipe(ends.data()), 0); }
  ~Pipe() {
    close_reader();
    ::close(ends[1]);
  }
  void close_reader() {
    if (ends[0] >= 0) ::close(std::exchange(ends[0], -1));
  }
  std::string read_what_is_there() const {
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    std::string text(1U << 20U, '\0');
    const ssize_t n = ::read(ends[0], text.data(), text.size());
    text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    return text;
  }
  std::array<int, 2> ends{-1, -1};
};

Exchange exchange_of(std::string_view path) {
  const Routed routed = find_route("GET", path);
  return {.id = "0123456789abcdef", .route = routed.route, .method = "GET"};
}

TEST(RequestLog, ALineIsLogfmtAndNamesTheRoutesPatternNotThePath) {
  EXPECT_EQ(request_line(exchange_of("/projekte/4711/dachanalyse"), 202, 321, std::chrono::microseconds(1500),
                         1'700'000'000'123),
            "time=2023-11-14T22:13:20.123Z level=info msg=request id=0123456789abcdef method=GET "
            "route=/projekte/{projekt_id}/dachanalyse status=202 ms=1.500 bytes=321\n");
}

TEST(RequestLog, ARequestThatLeadsNowhereHasNoRoute) {
  EXPECT_THAT(request_line({.id = "a"}, 404, 1, {}, 0), HasSubstr("method=- route=- status=404"));
}

TEST(RequestLog, WhatHasGatheredIsWrittenBeforeTheLogEnds) {
  const Pipe pipe;
  {
    RequestLog log(LogChoice::all, pipe.ends[1]);
    log.write(exchange_of("/lastprofile"), Response{.body = "abc"});
    log.write(exchange_of("/projekte"), Response{.status = 503});
  }
  const std::string written = pipe.read_what_is_there();
  EXPECT_THAT(written, HasSubstr("route=/lastprofile status=200"));
  EXPECT_THAT(written, HasSubstr("bytes=3\n"));
  EXPECT_THAT(written, HasSubstr("level=error msg=request id=0123456789abcdef method=GET route=/projekte "));
}

TEST(RequestLog, TheOperatorMayChooseErrorsOrNothing) {
  const Pipe pipe;
  for (const LogChoice choice : {LogChoice::errors, LogChoice::off}) {
    RequestLog log(choice, pipe.ends[1]);
    log.write(exchange_of("/lastprofile"), Response{.status = 404});
    if (choice == LogChoice::errors) log.write(exchange_of("/projekte"), Response{.status = 500});
  }
  const std::string written = pipe.read_what_is_there();
  EXPECT_EQ(std::count(written.begin(), written.end(), '\n'), 1) << written;
  EXPECT_THAT(written, HasSubstr("status=500"));
  EXPECT_FALSE(log_choice_of("some"));
}

TEST(RequestLog, LinesThatNobodyTakesAreDroppedAndCountedAndHoldUpNobody) {
  Pipe pipe;  // takes 64 KiB and then blocks
  {
    RequestLog log(LogChoice::all, pipe.ends[1]);
    const Exchange exchange = exchange_of("/lastprofile");
    const Response response;
    // Two times what the log may gather: were write() to wait for the reader, it would wait for ever.
    for (std::size_t written = 0; written < (8U << 20U); written += 100) log.write(exchange, response);
    EXPECT_GT(log.dropped(), 0U);
    ::signal(SIGPIPE, SIG_IGN);
    pipe.close_reader();  // lets the writer end
  }
}

}  // namespace
