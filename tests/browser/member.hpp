// Somebody with an account, a service of their own and a browser that is signed in there.
#pragma once
#include <string>

#include "tests/browser/browser.hpp"
#include "tests/browser/person.hpp"
#include "tests/http/service/running_service.hpp"

namespace test {

/// How a member's service is set up, besides what every one needs.
struct MemberService {
  std::vector<std::string> options;
  std::string catalogue = {};  ///< empty: the sample region
};

class Member {
 public:
  explicit Member(BrowserOptions options = {}) : browser(options) {}
  explicit Member(Person who) : person(std::move(who)) {}
  explicit Member(const MemberService& at) : service(options_of(person, at.options), at.catalogue) {}

  /// Sends the form; the link in the mail that comes.
  std::string ask_to_join();
  /// From the form by the mail's link to the list of projects.
  void sign_up();
  /// A project of the sample region's n-th address: the page that its form leads to.
  void order_project(std::size_t n = 0);
  /// The same, and waits until its page shows the result. Returns the page's address.
  std::string finished_project();

  Person person;

 private:
  /// By a name: browsers give no passkeys to an address in figures.
  static std::vector<std::string> options_of(const Person& person, const std::vector<std::string>& more = {});

 public:
  RunningService service{options_of(person)};
  const std::string site = "http://localhost:" + std::to_string(service.port());
  Browser browser;
};

}  // namespace test
