// Request targets: percent-encoding, "+", umlauts however they are composed, and what must not get through.
#include <gtest/gtest.h>

#include "http/wire/request.hpp"

namespace {

http::Request target(std::string_view text) {
  http::Request request;
  http::read_target(text, request);
  return request;
}

TEST(RequestTarget, SplitsPathAndQuery) {
  const auto request = target("/api/v1/analyse?adresse=a&name=b");
  EXPECT_EQ(request.path, "/api/v1/analyse");
  EXPECT_EQ(request.parameter("adresse"), "a");
  EXPECT_EQ(request.parameter("name"), "b");
  EXPECT_FALSE(request.parameter("verbrauch"));
}

TEST(RequestTarget, DecodesPercentAndPlusInTheQueryButNotPlusInThePath) {
  const auto request = target("/a+b%20c?x=d+e%20f%2Bg");
  EXPECT_EQ(request.path, "/a+b c");
  EXPECT_EQ(request.parameter("x"), "d e f+g");
}

TEST(RequestTarget, KeepsUmlautsAsTheyWereComposed) {
  EXPECT_EQ(target("/?o=M%C3%BCnchen").parameter("o"), "M\u00fcnchen");
  EXPECT_EQ(target("/?o=Mu%CC%88nchen").parameter("o"), "Mu\u0308nchen");
  EXPECT_EQ(target("/?o=M\xc3\xbcnchen").parameter("o"), "M\u00fcnchen");
}

TEST(RequestTarget, MarksBrokenEncodingAsNotWellFormed) {
  for (const char* text :
       {"/?a=%", "/?a=%4", "/?a=%zz", "/?a=%00", "/?a=%FF", "/?a=%C3", "/?a=%ED%A0%80", "/?%00=b"})
    EXPECT_FALSE(target(text).well_formed) << text;
  EXPECT_TRUE(target("/?a=%41&&b").well_formed);
}

TEST(RequestTarget, GivesABrokenPathNoResource) {
  for (const char* text : {"/%", "/%00", "/%FF", "/a%2", "/a%2Fb", "/a%2fb"})
    EXPECT_EQ(target(text).path, "") << text;
}

TEST(RequestTarget, TakesTheFirstOfTwoParametersOfOneName) {
  EXPECT_EQ(target("/?a=1&a=2").parameter("a"), "1");
}

TEST(RequestTarget, TakesParametersWithoutValueAndWithSeveralEqualsSigns) {
  const auto request = target("/?empty&none=&sum=1=1");
  EXPECT_EQ(request.parameter("empty"), "");
  EXPECT_EQ(request.parameter("none"), "");
  EXPECT_EQ(request.parameter("sum"), "1=1");
}

TEST(RequestTarget, TakesAnAbsoluteFormAndDropsAFragment) {
  EXPECT_EQ(target("http://host:80/api/v1/doku?a=1#x").path, "/api/v1/doku");
  EXPECT_EQ(target("http://host:80/api/v1/doku?a=1#x").parameter("a"), "1");
  EXPECT_EQ(target("http://host").path, "/");
  EXPECT_EQ(target("*").path, "*");
}

TEST(RequestTarget, DoesNotTakeAnEncodedSlashForAnotherParameterSeparator) {
  EXPECT_EQ(target("/?a=1%262").parameter("a"), "1&2");
  EXPECT_FALSE(target("/?a=1%262").parameter("2"));
}

}  // namespace
