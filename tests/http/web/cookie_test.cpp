// The session cookie: what of a hostile Cookie header field is read, and what Set-Cookie says.
#include "http/web/cookie.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace {

using namespace http;
using namespace std::chrono_literals;

constexpr SessionCookieOptions kPlainHttp{.secure = false};

Request with_cookies(const std::vector<std::string>& fields) {
  Request request;
  request.headers.emplace_back("host", "dach.example");
  for (const std::string& field : fields) request.headers.emplace_back("cookie", field);
  return request;
}

std::optional<std::string> read_cookie(const std::string& field) {
  return session_id_of(with_cookies({field}));
}

TEST(SessionCookie, IsReadAloneAndAmongOthers) {
  EXPECT_EQ(read_cookie("__Host-sitzung=abc-_9"), "abc-_9");
  EXPECT_EQ(read_cookie("a=1; __Host-sitzung=abc; b=2"), "abc");
  EXPECT_EQ(read_cookie("a=1;__Host-sitzung=abc;"), "abc");
  EXPECT_EQ(read_cookie(" \t__Host-sitzung = abc\t"), "abc");
}

TEST(SessionCookie, IsReadFromAnyOfSeveralFields) {
  EXPECT_EQ(session_id_of(with_cookies({"a=1", "b=2; __Host-sitzung=abc"})), "abc");
}

TEST(SessionCookie, MissingIsNone) {
  EXPECT_FALSE(session_id_of(Request{}));
  for (const char* field : {"", ";", ";;;", "=", "a=1", "__Host-sitzung", "__Host-sitzung=", "=abc"})
    EXPECT_FALSE(read_cookie(field)) << field;
}

TEST(SessionCookie, SentTwiceIsNone) {
  EXPECT_FALSE(read_cookie("__Host-sitzung=abc; __Host-sitzung=def"));
  EXPECT_FALSE(read_cookie("__Host-sitzung=abc; __Host-sitzung=abc"));
  EXPECT_FALSE(read_cookie("__Host-sitzung=abc; __Host-sitzung="));
  EXPECT_FALSE(session_id_of(with_cookies({"__Host-sitzung=abc", "__Host-sitzung=def"})));
}

TEST(SessionCookie, ANameThatOnlyLooksAlikeIsNotOurs) {
  for (const char* field :
       {"__host-sitzung=abc", "__HOST-SITZUNG=abc", "sitzung=abc", "x__Host-sitzung=abc",
        "__Host-sitzung2=abc", "\"__Host-sitzung\"=abc", "__Host%2Dsitzung=abc", "\xc2\xa0__Host-sitzung=abc",
        "\xe2\x80\x80__Host-sitzung=abc", "\x0b__Host-sitzung=abc", "__Secure-sitzung=abc"})
    EXPECT_FALSE(read_cookie(field)) << field;
}

TEST(SessionCookie, AnotherCookiesQuotesDoNotHideOrMakeOne) {
  EXPECT_EQ(read_cookie("a=\"x; __Host-sitzung=abc; b=y\""), "abc");
  EXPECT_FALSE(read_cookie("a=\"x; __Host-sitzung=abc; b=y\"; __Host-sitzung=def"));
  EXPECT_FALSE(read_cookie("$Version=1; __Host-sitzung=\"abc\"; $Path=/"));
}

TEST(SessionCookie, AValueThatIsNoIdIsNone) {
  using namespace std::string_literals;
  for (const std::string& value : {"\"abc\""s, "a b"s, "a,b"s, "a=b"s, "a%41"s, "<script>"s,
                                   "a\r\nSet-Cookie: x"s, "\xff\xfe"s, "a\0b"s, "\xc3\xbc"s, "../etc"s})
    EXPECT_FALSE(read_cookie("__Host-sitzung=" + value)) << value;
}

TEST(SessionCookie, AnEndlessValueOrCountOfCookiesIsNone) {
  EXPECT_EQ(read_cookie("__Host-sitzung=" + std::string(kSessionIdMax, 'a')),
            std::string(kSessionIdMax, 'a'));
  EXPECT_FALSE(read_cookie("__Host-sitzung=" + std::string(kSessionIdMax + 1, 'a')));
  EXPECT_FALSE(read_cookie("__Host-sitzung=" + std::string(1'000'000, 'a')));
  EXPECT_FALSE(read_cookie(std::string(1'000'000, ';')));
  EXPECT_FALSE(read_cookie(std::string(1'000'000, '=')));
  EXPECT_EQ(read_cookie(std::string(1'000'000, ';') + "__Host-sitzung=abc"), "abc");
}

TEST(SessionCookie, IsSetForThisHostOverHttpsAndOutOfReachOfScripts) {
  EXPECT_EQ(set_session_cookie("abc", 720h),
            "__Host-sitzung=abc; Path=/; Max-Age=2592000; Secure; HttpOnly; SameSite=Lax");
}

TEST(SessionCookie, IsClearedWithTheAttributesThatItsPrefixDemands) {
  EXPECT_EQ(clear_session_cookie(), "__Host-sitzung=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Lax");
}

TEST(SessionCookie, ALifetimeThatIsOverClearsIt) {
  EXPECT_NE(set_session_cookie("abc", -5s).find("Max-Age=0;"), std::string::npos);
}

TEST(SessionCookie, WhatIsNoIdIsNeverWrittenToAHeader) {
  using namespace std::string_literals;
  for (const std::string& id : {""s, "a; Domain=example"s, "a\r\nX: y"s, "a\nb"s, "a\0b"s, "\xff"s,
                                std::string(kSessionIdMax + 1, 'a')})
    EXPECT_THROW(set_session_cookie(id, 1h), std::invalid_argument) << id;
}

TEST(SessionCookie, OverPlainHttpItHasAnotherNameAndIsNotSecure) {
  EXPECT_EQ(set_session_cookie("abc", 12h, kPlainHttp),
            "sitzung=abc; Path=/; Max-Age=43200; HttpOnly; SameSite=Lax");
  EXPECT_EQ(clear_session_cookie(kPlainHttp), "sitzung=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
  EXPECT_EQ(session_id_of(with_cookies({"sitzung=abc; __Host-sitzung=def"}), kPlainHttp), "abc");
  EXPECT_EQ(session_id_of(with_cookies({"sitzung=abc; __Host-sitzung=def"})), "def");
}

TEST(WayCookie, IsAReturnPathOrNothing) {
  const std::string way = "/projekte/neu?adresse=H%C3%B6he%201&lastprofil=H0";
  EXPECT_EQ(set_way_cookie(way, 24h),
            "__Host-weiter=" + way + "; Path=/; Max-Age=86400; Secure; HttpOnly; SameSite=Lax");
  EXPECT_EQ(way_of(with_cookies({"a=1; __Host-weiter=" + way + "; __Host-sitzung=abc"})), way);
  EXPECT_EQ(way_of(with_cookies({"weiter=/konto"}), kPlainHttp), "/konto");
  for (const char* hostile : {"//boese.example", "https://boese.example", "/a;b", "/a,b", "/a\r\nX: y", ""}) {
    EXPECT_FALSE(set_way_cookie(hostile, 24h)) << hostile;
    EXPECT_FALSE(way_of(with_cookies({std::string("__Host-weiter=") + hostile + "; x=//"})) == hostile)
        << hostile;
  }
  EXPECT_FALSE(way_of(with_cookies({"__Host-weiter=/konto; __Host-weiter=/projekte"})));
}

}  // namespace
