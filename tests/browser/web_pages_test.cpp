// The web application's pages in a browser, with JavaScript off: the way from sign-up to economics.
#include <gtest/gtest.h>

#include "tests/browser/browser.hpp"
#include "tests/browser/page_checks.hpp"
#include "tests/browser/person.hpp"
#include "tests/http/service/running_service.hpp"

namespace {

TEST(WebPages, AreGoodPagesFromTheFrontPageToTheEconomics) {
  test::Person anna;
  const test::RunningService service(anna.service_options());
  const std::string site = "http://127.0.0.1:" + std::to_string(service.port());
  test::Browser browser;
  for (const char* page : {"/", "/registrieren", "/anmelden", "/passwort", "/lizenzen"}) {
    SCOPED_TRACE(page);
    browser.open(site + page);
    expect_good_page(browser);
  }
  browser.open(site + "/registrieren");
  browser.type("#email", anna.email());
  browser.type("#passwort", anna.password);
  browser.submit("#passwort");
  browser.open(anna.link_in_last_mail());
  browser.click("main form button");

  browser.open(site + "/projekte/neu");
  browser.type("#adresse", test::sample_region().addresses.at(0));
  browser.type("#jahresverbrauch", "4500");
  browser.submit("#adresse");
  browser.wait_until("the analysis is finished", [&] {
    browser.reload();
    return browser.exists("#flaeche-1");
  });
  const std::string project = browser.url();
  for (const std::string& page : {project, project + "/wirtschaftlichkeit", site + "/projekte",
                                  site + "/schluessel", site + "/verbrauch", site + "/konto"}) {
    SCOPED_TRACE(page);
    browser.open(page);
    expect_good_page(browser);
  }
}

}  // namespace
