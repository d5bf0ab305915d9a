// The header fields of a session's pages.
#include "http/web/security_headers.hpp"

#include <gmock/gmock.h>

#include <stdexcept>

#include "http/wire/request.hpp"

namespace {

using namespace http;
using namespace std::string_literals;
using ::testing::HasSubstr;
using ::testing::Not;

NameValues page_fields(const PageSecurityOptions& options) {
  Response response;
  SecurityHeaders(options).add_to(response);
  return response.headers;
}

std::string sent_field(const NameValues& fields, const std::string& name) {
  std::string value;
  for (const auto& [n, v] : fields)
    if (n == name) value += value.empty() ? v : " AND " + v;
  return value;
}

const PageSecurityOptions kOverHttps{"https://dach.example", {}};

TEST(SecurityHeaders, NothingInlineAndNothingOfOthersIsAllowed) {
  const std::string policy = sent_field(page_fields(kOverHttps), "Content-Security-Policy");
  EXPECT_EQ(
      policy,
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
      "form-action 'self'; base-uri 'none'; frame-ancestors 'none'");
  EXPECT_THAT(policy, Not(HasSubstr("unsafe")));
}

TEST(SecurityHeaders, TilesOfConfiguredHostsAreAllowedAsPicturesOnly) {
  const auto fields =
      page_fields({"https://dach.example", {"https://tiles.example", "https://b.example:8443"}});
  EXPECT_THAT(
      sent_field(fields, "Content-Security-Policy"),
      HasSubstr("; img-src 'self' data: https://tiles.example https://b.example:8443; connect-src 'self';"));
}

TEST(SecurityHeaders, ATileHostThatWouldBeAnotherRuleIsRefused) {
  for (const std::string& origin :
       {""s, "*"s, "https:"s, "data:"s, "'unsafe-inline'"s, "https://a.example; script-src *"s,
        "https://a.example https://b.example"s, "https://a.example,b"s, "https://a.example/"s,
        "https://*.example"s, "https://a.example\r\nSet-Cookie: x"s, "https://a\0.example"s,
        "https://\xff.example"s, "https://A.example"s})
    EXPECT_THROW(page_fields({"https://dach.example", {origin}}), std::invalid_argument) << origin;
}

TEST(SecurityHeaders, APublicOriginThatIsNoneIsRefused) {
  for (const char* origin :
       {"", "null", "https://dach.example/", "dach.example", "https://dach.example\r\nX: y"})
    EXPECT_THROW(page_fields({origin, {}}), std::invalid_argument) << origin;
}

TEST(SecurityHeaders, NoPageIsKept) {
  Response response;
  response.with("Cache-Control", "public, max-age=300");
  SecurityHeaders(kOverHttps).add_to(response);
  EXPECT_EQ(sent_field(response.headers, "Cache-Control"), "no-store");
}

TEST(SecurityHeaders, OurOwnFormsKeepTheirOriginAndOthersLearnNothing) {
  EXPECT_EQ(sent_field(page_fields(kOverHttps), "Referrer-Policy"), "same-origin");
}

TEST(SecurityHeaders, OnTheWireTheLastReferrerPolicyIsOurs) {
  Response response;
  SecurityHeaders(kOverHttps).add_to(response);
  const std::string bytes = wire_bytes(response, true, true);
  const auto last = bytes.rfind("Referrer-Policy: ");
  ASSERT_NE(last, std::string::npos);
  EXPECT_EQ(bytes.compare(last, 30, "Referrer-Policy: same-origin\r\n"), 0);
}

TEST(SecurityHeaders, OnTheWireTypesAreNotGuessed) {
  Response response;
  SecurityHeaders(kOverHttps).add_to(response);
  const std::string bytes = wire_bytes(response, true, true);
  const auto first = bytes.find("X-Content-Type-Options: nosniff\r\n");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(bytes.find("X-Content-Type-Options", first + 1), std::string::npos);
}

TEST(SecurityHeaders, NoOtherWindowReachesOurs) {
  EXPECT_EQ(sent_field(page_fields(kOverHttps), "Cross-Origin-Opener-Policy"), "same-origin");
}

TEST(SecurityHeaders, PasskeysAndTheCopyButtonAreOursAndTheCameraIsNobodys) {
  const std::string permissions = sent_field(page_fields(kOverHttps), "Permissions-Policy");
  EXPECT_THAT(permissions, HasSubstr("camera=()"));
  EXPECT_THAT(permissions, HasSubstr("geolocation=()"));
  EXPECT_THAT(permissions, HasSubstr("publickey-credentials-get=(self)"));
  EXPECT_THAT(permissions, HasSubstr("clipboard-write=(self)"));
}

TEST(SecurityHeaders, OnlyOverHttpsBrowsersAreBoundToHttps) {
  EXPECT_EQ(sent_field(page_fields(kOverHttps), "Strict-Transport-Security"), "max-age=31536000");
  EXPECT_EQ(sent_field(page_fields({"http://127.0.0.1:8080", {}}), "Strict-Transport-Security"), "");
}

}  // namespace
