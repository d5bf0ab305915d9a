// /doku and /anleitung: well-formed, complete, and closed to everything from outside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/api/digest.hpp"
#include "http/api/errors.hpp"
#include "http/api/routes.hpp"
#include "http/description/pages.hpp"
#include "http/web/embedded_files.hpp"
#include "http/web/html_text.hpp"
#include "tests/http/html_check.hpp"
#include "tests/http/schema_check.hpp"

namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string header_of(const http::Response& response, std::string_view name) {
  for (const auto& [n, value] : response.headers)
    if (n == name) return value;
  return {};
}

/// html_check's reader does not know that <path/> is closed.
std::string with_paths_closed(std::string html) {
  for (auto at = html.find("/>"); at != std::string::npos; at = html.find("/>", at))
    html.replace(at, 2, "></path>");
  return html;
}

class HtmlPages : public testing::TestWithParam<std::string> {
 protected:
  http::Response response = http::find_route("GET", GetParam()).route->page(test::page_context());
  test::HtmlPage page = test::read_html(with_paths_closed(response.body));
};

TEST_P(HtmlPages, AreWellFormedAndTheirInnerLinksLeadSomewhere) {
  EXPECT_EQ(response.content_type, "text/html; charset=utf-8");
  EXPECT_THAT(page.faults, IsEmpty());
  EXPECT_THAT(response.body, HasSubstr("<html lang=\"de\">"));
  EXPECT_THAT(response.body, HasSubstr("width=device-width"));
  EXPECT_THAT(response.body, HasSubstr("<meta name=\"description\""));
}

TEST_P(HtmlPages, HaveTheApplicationsFrameAndLookAndLoadNothingElse) {
  EXPECT_THAT(page.sources, testing::ElementsAre(http::file_address("seite.js")));
  int styles = 0;
  for (const std::string& link : page.links) {
    styles += link == http::file_address("roof.css") ? 1 : 0;
    EXPECT_TRUE(link.starts_with("#") || link.starts_with("https://dach.example/api/v1/") ||
                link == "https://app.example" || link.starts_with("https://app.example/") ||
                link == http::file_address("roof.css"))
        << link;
  }
  EXPECT_EQ(styles, 1);
  EXPECT_THAT(response.body, HasSubstr("<header class=\"site-header\">"));
  EXPECT_THAT(response.body, HasSubstr("href=\"https://app.example/projekte\">Zur Anwendung"));
}

TEST_P(HtmlPages, AllowOnlyWhatIsOursAndNothingInline) {
  const std::string policy = header_of(response, "Content-Security-Policy");
  for (const char* part : {"default-src 'none'", "script-src 'self'", "style-src 'self'", "base-uri 'none'",
                           "form-action 'none'", "frame-ancestors 'none'"})
    EXPECT_THAT(policy, HasSubstr(part));
  EXPECT_THAT(policy, Not(HasSubstr("unsafe")));
  EXPECT_THAT(page.style, IsEmpty());
  EXPECT_THAT(page.script, IsEmpty());
}

TEST_P(HtmlPages, NameTheOperatorsTextsWhereThereAreAny) {
  http::PageContext context = test::page_context();
  EXPECT_THAT(response.body, Not(HasSubstr("/impressum")));
  context.has_imprint = true;
  EXPECT_THAT(http::find_route("GET", GetParam()).route->page(context).body,
              HasSubstr("https://app.example/impressum"));
}

TEST_P(HtmlPages, FillInEveryAddress) {
  for (const char* placeholder : {"base_url", "web_url", "{{", "}}"})
    EXPECT_THAT(response.body, Not(HasSubstr(placeholder)));
  EXPECT_THAT(response.body, HasSubstr("https://dach.example/api/v1"));
}

INSTANTIATE_TEST_SUITE_P(All, HtmlPages, testing::Values("/doku", "/anleitung"));

TEST(Digest, IsTheOneBrowsersCompute) {
  // FIPS 180-2, appendix B.1, in base64.
  EXPECT_EQ(http::sha256_base64("abc"), "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
}

TEST(Html, EscapesWhatCouldBeMarkup) {
  EXPECT_EQ(http::html::escaped("<a href=\"x\">'&"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;");
}

TEST(Documentation, HasAnAnchorForEveryErrorEndpointAndSchema) {
  const auto page = test::read_html(with_paths_closed(http::documentation_page(test::page_context()).body));
  for (const http::ErrorRow& row : http::error_table())
    EXPECT_TRUE(page.ids.contains("fehler-" + std::string(actors::name_of(row.code))))
        << actors::name_of(row.code);
  for (const http::Route& route : http::route_table())
    EXPECT_TRUE(page.ids.contains(std::string(route.id))) << route.id;
  for (const http::Schema& schema : http::schema_table())
    EXPECT_TRUE(page.ids.contains("feld-" + std::string(schema.name))) << schema.name;
}

TEST(Documentation, SaysOfEveryErrorWhatToDoWithoutAPlaceholder) {
  const std::string body = http::documentation_page(test::page_context()).body;
  EXPECT_THAT(body, Not(HasSubstr("{s}")));
  EXPECT_THAT(body, HasSubstr(http::html::escaped(http::error_row(actors::Code::kein_dach).tu)));
}

TEST(Documentation, ShowsTheConfiguredLimits) {
  http::PageContext context = test::page_context();
  context.options.limits.media_per_hour = 7654;
  EXPECT_THAT(http::documentation_page(context).body, HasSubstr("7654 je Stunde und Konto"));
}

TEST(Documentation, EscapesTheConfiguredAddresses) {
  http::PageContext context = test::page_context();
  context.links.base_url = "https://dach.example/\"><script>x</script>";
  EXPECT_THAT(http::documentation_page(context).body, Not(HasSubstr("\"><script>x")));
  EXPECT_THAT(http::guide_page(context).body, Not(HasSubstr("\"><script>x")));
}

TEST(Guide, LeadsFromTheKeyToTheResultForPeopleAndAgents) {
  const std::string body = http::guide_page(test::page_context()).body;
  for (const char* part :
       {"X-API-Key: $SCHLUESSEL", "erneut_in_s", "Retry-After", "150 Sekunden", "genau einmal", "409",
        "bestehendes_projekt.analyse_url", "wartet: false", "quellen", "namensnennung", "Vorplanung",
        "curl -X POST", "/projekte/4711/dachanalyse", "/analyse?adresse="})
    EXPECT_THAT(body, HasSubstr(part));
}

}  // namespace
