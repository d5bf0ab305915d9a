// Requests that other sites' pages make a browser send, and redirects that would leave ours.
#include "http/web/origin_check.hpp"

#include <gtest/gtest.h>

namespace {

using namespace http;
using namespace std::string_literals;

constexpr auto kOwnOrigin = "https://dach.example";

OriginCheck checked(const std::string& method, NameValues headers, std::string_view origin = kOwnOrigin) {
  Request request;
  request.method = method;
  request.headers = std::move(headers);
  return check_origin(request, origin);
}

TEST(CrossOrigin, SafeMethodsPassFromAnywhere) {
  for (const char* method : {"GET", "HEAD", "OPTIONS"})
    EXPECT_EQ(checked(method, {{"sec-fetch-site", "cross-site"}, {"origin", "https://boese.example"}}),
              OriginCheck::passed);
}

TEST(CrossOrigin, EveryOtherMethodIsChecked) {
  for (const char* method : {"POST", "PUT", "PATCH", "DELETE", "TRACE", "get", "Head", "", "GET ", "FOO"})
    EXPECT_EQ(checked(method, {{"sec-fetch-site", "cross-site"}}), OriginCheck::cross_site) << method;
}

TEST(CrossOrigin, OurOwnPageAndTheUsersOwnDoingPass) {
  for (const char* site : {"same-origin", "none"})
    EXPECT_EQ(checked("POST", {{"sec-fetch-site", site}}), OriginCheck::passed);
}

TEST(CrossOrigin, OtherHostsOfTheDomainDoNotPass) {
  EXPECT_EQ(checked("POST", {{"sec-fetch-site", "same-site"}, {"origin", kOwnOrigin}}),
            OriginCheck::cross_site);
}

TEST(CrossOrigin, AnUnknownWordInSecFetchSiteDoesNotPass) {
  for (const std::string& site : {"Same-Origin"s, "same-origin,none"s, "same-origin\0"s, "x"s, "\xff"s})
    EXPECT_EQ(checked("POST", {{"sec-fetch-site", site}}), OriginCheck::cross_site) << site;
}

TEST(CrossOrigin, TheFetchFieldCountsBeforeTheOrigin) {
  EXPECT_EQ(checked("POST", {{"sec-fetch-site", "same-origin"}, {"origin", "null"}}), OriginCheck::passed);
  EXPECT_EQ(checked("POST", {{"sec-fetch-site", "cross-site"}, {"origin", kOwnOrigin}}),
            OriginCheck::cross_site);
}

TEST(CrossOrigin, AnOlderBrowsersOriginMustBeOurs) {
  EXPECT_EQ(checked("POST", {{"origin", kOwnOrigin}}), OriginCheck::passed);
  EXPECT_EQ(checked("POST", {{"sec-fetch-site", ""}, {"origin", kOwnOrigin}}), OriginCheck::passed);
  for (const std::string& origin :
       {"null"s, "http://dach.example"s, "https://dach.example:8443"s, "https://dach.example.boese.example"s,
        "https://boese.example/https://dach.example"s, "https://dach.example/"s,
        "https://dach.example@boese"s, "https://dach.example\0"s, "dach.example"s, "https://xdach.example"s,
        std::string(100'000, 'a')})
    EXPECT_EQ(checked("POST", {{"origin", origin}}), OriginCheck::foreign_origin) << origin.substr(0, 60);
}

TEST(CrossOrigin, TheHostFieldDoesNotMakeAnOriginOurs) {
  EXPECT_EQ(checked("POST", {{"host", "boese.example"}, {"origin", "https://boese.example"}}),
            OriginCheck::foreign_origin);
}

TEST(CrossOrigin, FieldsSentTwiceDoNotPass) {
  EXPECT_EQ(checked("POST", {{"sec-fetch-site", "same-origin"}, {"sec-fetch-site", "cross-site"}}),
            OriginCheck::cross_site);
  EXPECT_EQ(checked("POST", {{"origin", kOwnOrigin}, {"origin", "https://boese.example"}}),
            OriginCheck::foreign_origin);
  EXPECT_EQ(checked("POST", {{"sec-fetch-site", ""}, {"sec-fetch-site", "same-origin"}}),
            OriginCheck::cross_site);
}

TEST(CrossOrigin, WithoutEitherFieldItIsNoBrowserAndPasses) {
  EXPECT_EQ(checked("POST", {}), OriginCheck::passed);
  EXPECT_EQ(checked("DELETE", {{"origin", ""}}), OriginCheck::passed);
}

TEST(CrossOrigin, WithoutAConfiguredOriginNoOriginIsOurs) {
  EXPECT_EQ(checked("POST", {{"origin", "null"}}, ""), OriginCheck::foreign_origin);
}

TEST(OriginOf, IsAsBrowsersWriteIt) {
  EXPECT_EQ(origin_of("https://dach.example"), "https://dach.example");
  EXPECT_EQ(origin_of("HTTPS://Dach.Example:443/app/?x=1#y"), "https://dach.example");
  EXPECT_EQ(origin_of("http://127.0.0.1:8080/"), "http://127.0.0.1:8080");
  EXPECT_EQ(origin_of("http://localhost:80"), "http://localhost");
  EXPECT_EQ(origin_of("https://[::1]:8443/x"), "https://[::1]:8443");
  EXPECT_EQ(origin_of("https://tiles.example/{z}/{x}/{y}.png"), "https://tiles.example");
}

TEST(OriginOf, IsNothingForWhatIsNoWebAddress) {
  for (const std::string& address : {""s,
                                     "dach.example"s,
                                     "ftp://dach.example"s,
                                     "https://"s,
                                     "https:///x"s,
                                     "https://a b"s,
                                     "https://u@dach.example"s,
                                     "https://u:p@dach.example"s,
                                     "https://dach.example:"s,
                                     "https://dach.example:0"s,
                                     "https://dach.example:65536"s,
                                     "https://dach.example:+1"s,
                                     "https://dächer.example"s,
                                     "https://a;b"s,
                                     "https://a'b"s,
                                     "https://a\r\nb"s,
                                     "https://a\0b"s,
                                     "https://*.dach.example"s,
                                     "javascript://dach.example"s,
                                     "https://[::1"s,
                                     "https://[]"s})
    EXPECT_FALSE(origin_of(address)) << address;
}

TEST(ReturnPath, OurPagesAreReachable) {
  for (const char* path :
       {"/", "/projekte", "/projekte/5/wirtschaftlichkeit?x=1", "/projekte/5/jahre.csv",
        "/projekte/5/wirtschaftlichkeit?preis=0%2C35&ort=M%C3%BCnchen+Ost&leer=", "/konto?"})
    EXPECT_TRUE(is_return_path(path)) << path;
}

TEST(ReturnPath, NeverLeadsToAnotherHost) {
  for (const char* path : {"//boese.example",
                           "///boese.example",
                           "/\\boese.example",
                           "\\\\boese.example",
                           "\\/boese.example",
                           "https://boese.example",
                           "https:boese.example",
                           "javascript:alert(1)",
                           "data:text/html,x",
                           "boese.example",
                           "@boese.example",
                           "/\t/boese.example",
                           "/\n/boese.example",
                           "\t//boese.example",
                           " //boese.example",
                           "/.//boese.example",
                           "/..//boese.example",
                           "/x/..//boese.example",
                           "/.",
                           "/..",
                           "/x//boese.example",
                           "",
                           "?x=1",
                           "#x",
                           "/x#//boese.example",
                           "/projekte/"})
    EXPECT_FALSE(is_return_path(path)) << path;
}

TEST(ReturnPath, IsNotDecodedIntoSomethingElse) {
  for (const char* path :
       {"/%2Fboese.example", "/%2f/boese.example", "/%5Cboese.example", "/%5c%5cboese.example",
        "/%09/boese.example", "/%0d%0aLocation:%20https://boese.example", "/%252Fboese.example",
        "/%E3%80%82boese", "/%2e%2e//boese.example", "/\xe3\x80\x82",
        ("/\xef\xbc\x8f"
         "boese")})
    EXPECT_FALSE(is_return_path(path)) << path;
}

TEST(ReturnPath, PutsNothingIntoHeaderOrLog) {
  for (const std::string& path :
       {"/x\r\nSet-Cookie: a=b"s, "/x\n"s, "/x\0y"s, "/x\x7f"s, "/x?y\r\nZ: 1"s, "/x?a=%0d%0aZ:1"s,
        "/x?a=%0A"s, "/x?a=%00"s, "/x?%7f=1"s, "/x?a=%1B[31m"s, "/x?a=%1B"s, "/x?a=%zz"s, "/x?a=%"s,
        "/x?a=%FF"s, "/x?a=\xc3\xbc"s, "/x?a=<script>"s, "/x?a=\"b"s, "/x y"s, "/<script>"s})
    EXPECT_FALSE(is_return_path(path)) << path;
}

TEST(ReturnPath, HasABound) {
  EXPECT_TRUE(is_return_path("/" + std::string(kReturnPathMax - 1, 'a')));
  EXPECT_FALSE(is_return_path("/" + std::string(kReturnPathMax, 'a')));
  EXPECT_FALSE(is_return_path(std::string(8'000'000, '/')));
}

TEST(PasskeyHost, IsANameOverHttpsOrOnTheOwnMachine) {
  EXPECT_EQ(passkey_host_of("https://dach.example"), "dach.example");
  EXPECT_EQ(passkey_host_of("https://dach.example:8443"), "dach.example");
  EXPECT_EQ(passkey_host_of("http://localhost:8080"), "localhost");
  EXPECT_EQ(passkey_host_of("http://roof.localhost"), "roof.localhost");
  for (const char* origin : {"http://dach.example", "https://192.0.2.7", "http://127.0.0.1:8080",
                             "https://[::1]:8443", "http://notlocalhost"})
    EXPECT_EQ(passkey_host_of(origin), "") << origin;
}

}  // namespace
