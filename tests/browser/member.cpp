#include "tests/browser/member.hpp"

namespace test {

std::vector<std::string> Member::options_of(const Person& person, const std::vector<std::string>& more) {
  std::vector<std::string> options = person.service_options();
  options.insert(options.end(), more.begin(), more.end());
  options.push_back("--http.web-url=http://localhost:{port}");
  return options;
}

std::string Member::ask_to_join() {
  browser.open(site + "/registrieren");
  browser.type("#email", person.email());
  browser.type("#passwort", person.password);
  browser.submit("#passwort");
  return person.link_in_last_mail();
}

void Member::sign_up() {
  browser.open(ask_to_join());
  browser.type("#passwort", person.password);
  browser.click("main form button");
}

void Member::order_project(std::size_t n) {
  browser.open(site + "/projekte/neu");
  browser.type("#adresse", sample_region().addresses.at(n));
  browser.type("#jahresverbrauch", "4500");
  browser.submit("#adresse");
}

std::string Member::finished_project() {
  order_project();
  browser.wait_until("the analysis is finished", [&] {
    browser.reload();
    return browser.exists("#flaeche-1");
  });
  return browser.url();
}

}  // namespace test
