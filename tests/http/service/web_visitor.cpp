#include "tests/http/service/web_visitor.hpp"

#include <curl/curl.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <regex>
#include <thread>

namespace test {
namespace {

std::string form_body(const Form& form) {
  std::string body;
  for (const auto& [name, value] : form) {
    const std::unique_ptr<char, decltype(&curl_free)> encoded(
        curl_easy_escape(nullptr, value.data(), static_cast<int>(value.size())), &curl_free);
    body += (body.empty() ? "" : "&") + name + "=" + encoded.get();
  }
  return body;
}

std::string file_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

Reply WebVisitor::keep_cookie(Reply reply) {
  const auto set = reply.headers.find("set-cookie");
  if (set == reply.headers.end()) return reply;
  const std::string pair = set->second.substr(0, set->second.find(';'));
  cookie_ = pair.ends_with('=') ? std::string() : pair;
  return reply;
}

Reply WebVisitor::get(const std::string& path) {
  Headers headers{{"Accept", "text/html"}};
  if (!cookie_.empty()) headers["Cookie"] = cookie_;
  return keep_cookie(service_.unchecked("GET", path, "", headers));
}

Reply WebVisitor::post(const std::string& path, const Form& form, const Headers& more) {
  Headers headers{{"Accept", "text/html"},
                  {"Content-Type", "application/x-www-form-urlencoded"},
                  {"Origin", "http://127.0.0.1:" + std::to_string(service_.port())}};
  if (!cookie_.empty()) headers["Cookie"] = cookie_;
  for (const auto& [name, value] : more) headers[name] = value;
  return keep_cookie(service_.unchecked("POST", path, form_body(form), headers));
}

void WebVisitor::join(const std::string& email, const std::string& password) {
  ASSERT_EQ(post("/registrieren", {{"email", email}, {"passwort", password}}).status, 200);
  const std::string link = mailed_path(service_, email);
  ASSERT_EQ(get(link).status, 200);
  ASSERT_EQ(post(link, {{"tat", "bestaetigen"}, {"passwort", password}}).status, 303);
  ASSERT_FALSE(cookie_.empty());
}

std::string WebVisitor::project(std::size_t n, const std::string& name) {
  const Reply made = post("/projekte/neu", {{"adresse", sample_region().addresses.at(n)},
                                            {"name", name},
                                            {"jahresverbrauch_kwh", "4.500"},
                                            {"lastprofil", "H0"}});
  EXPECT_EQ(made.status, 303) << made.body;
  const auto location = made.headers.find("location");
  if (location == made.headers.end()) return {};
  const auto until = std::chrono::steady_clock::now() + kLastResort;
  // A part of a page: it does not count against the limit of the calling address, however long the run takes.
  while (get(location->second + "/datei/ergebnis.json").status != 200) {
    if (std::chrono::steady_clock::now() > until) ADD_FAILURE() << "the run does not end";
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return location->second;
}

std::string WebVisitor::key(const std::string& name) {
  const Reply page = post("/schluessel", {{"tat", "anlegen"}, {"name", name}});
  static const std::regex kKey("dach_[A-Za-z0-9]{43}");
  std::smatch found;
  return std::regex_search(page.body, found, kKey) ? found.str() : std::string();
}

std::string mailed_path(const RunningService& service, const std::string& email) {
  namespace fs = std::filesystem;
  static const std::regex kLink(R"(https?://[^/\s]+(/\S+/\S{43}))");
  const auto until = std::chrono::steady_clock::now() + kLastResort;
  while (std::chrono::steady_clock::now() < until) {
    std::string newest, path;
    std::error_code none_yet;
    for (const auto& entry : fs::directory_iterator(service.data_dir() + "/outbox", none_yet)) {
      std::string text = file_bytes(entry.path());
      if (entry.path().extension() != ".eml" || text.find("<" + email + ">") == std::string::npos) continue;
      boost::replace_all(text, "=\r\n", "");
      boost::replace_all(text, "=3D", "=");
      std::smatch link;
      // A mail's name begins with its number.
      const std::string name =
          std::string(20 - std::min<std::size_t>(20, entry.path().filename().string().find('.')), '0') +
          entry.path().filename().string();
      if (name > newest && std::regex_search(text, link, kLink)) {
        newest = name;
        path = link[1];
      }
    }
    if (!path.empty()) return path;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  ADD_FAILURE() << "no mail with a link for " << email;
  return {};
}

}  // namespace test
