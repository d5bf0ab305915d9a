// How pages are shown, and what the browser knows beside them: pictures, console, cookies, tabs, passkeys.
#include <openssl/evp.h>

#include <algorithm>
#include <fstream>

#include "tests/browser/browser.hpp"

namespace test {
namespace {

using nlohmann::json;

constexpr double kTallestPicture = 8'000;

std::string from_base64(const std::string& text) {
  std::string bytes(3 * text.size() / 4, '\0');
  const int size =
      EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                      reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
  const auto padding = text.size() - std::min(text.find('='), text.size());
  bytes.resize(size < 0 ? 0 : static_cast<std::size_t>(size) - padding);
  return bytes;
}

json feature(const char* name, const char* value) { return {{"name", name}, {"value", value}}; }

}  // namespace

void Browser::show_as_told() {
  driver_->devtools("Emulation.setDeviceMetricsOverride", {{"width", options_.width},
                                                           {"height", options_.height},
                                                           {"deviceScaleFactor", 1},
                                                           {"mobile", options_.mobile}});
  driver_->devtools("Emulation.setTouchEmulationEnabled", {{"enabled", options_.mobile}});
  driver_->devtools("Emulation.setScriptExecutionDisabled", {{"value", !options_.javascript}});
  driver_->devtools("Emulation.setEmulatedMedia",
                    {{"media", print_ ? "print" : ""},
                     {"features",
                      {feature("prefers-color-scheme", options_.dark ? "dark" : "light"),
                       feature("prefers-reduced-motion", "reduce")}}});
}

void Browser::set_window(int width, int height, bool mobile, const TestLine& at) {
  options_.width = width;
  options_.height = height;
  options_.mobile = mobile;
  attempt("window", at, [&] { return show_as_told(), json(); });
}

void Browser::set_dark(bool dark, const TestLine& at) {
  options_.dark = dark;
  attempt("colour scheme", at, [&] { return show_as_told(), json(); });
}

void Browser::set_print(bool print, const TestLine& at) {
  print_ = print;
  attempt("print", at, [&] { return show_as_told(), json(); });
}

void Browser::slow_processor(double factor, const TestLine& at) {
  attempt("slow processor", at, [&] {
    return driver_->devtools("Emulation.setCPUThrottlingRate", {{"rate", factor}});
  });
}

std::string Browser::screenshot(const TestLine& at) {
  return from_base64(attempt("picture", at, [&] { return driver_->get("/screenshot"); }).get<std::string>());
}

std::string Browser::screenshot_of_page(const TestLine& at) {
  const json shot = attempt("picture of the page", at, [&] {
    const json size = driver_->devtools("Page.getLayoutMetrics", json::object()).at("cssContentSize");
    const double height = std::min(size.at("height").get<double>(), kTallestPicture);
    const json clip{{"x", 0}, {"y", 0}, {"width", options_.width}, {"height", height}, {"scale", 1}};
    return driver_->devtools("Page.captureScreenshot",
                             {{"format", "png"}, {"captureBeyondViewport", true}, {"clip", clip}});
  });
  return from_base64(shot.at("data"));
}

std::string Browser::screenshot_of(const std::string& css, const TestLine& at) {
  return from_base64(with_element("picture of", css, at, [&](auto& id) {
                       return driver_->get("/element/" + id + "/screenshot");
                     }).get<std::string>());
}

std::vector<ConsoleEntry> Browser::console(const TestLine& at) {
  const json news = attempt("console", at, [&] { return driver_->post("/se/log", {{"type", "browser"}}); });
  for (const json& entry : news)
    console_.push_back({entry.value("level", ""), entry.value("source", ""), entry.value("message", "")});
  return console_;
}

std::vector<std::string> Browser::policy_violations(const TestLine& at) {
  std::vector<std::string> found;
  for (const ConsoleEntry& entry : console(at))
    if (entry.source == "security" || entry.text.find("Content Security Policy") != std::string::npos)
      found.push_back(entry.text);
  return found;
}

void Browser::forget_console(const TestLine& at) {
  console(at);
  console_.clear();
}

json Browser::cookies(const TestLine& at) {
  return attempt("cookies", at, [&] { return driver_->get("/cookie"); });
}

void Browser::set_cookie(const std::string& name, const std::string& value, const json& more,
                         const TestLine& at) {
  json cookie{{"name", name}, {"value", value}, {"path", "/"}};
  cookie.update(more);
  attempt("set the cookie " + name, at, [&] { return driver_->post("/cookie", {{"cookie", cookie}}); });
}

void Browser::forget_cookies(const TestLine& at) {
  attempt("forget cookies", at, [&] { return driver_->remove("/cookie"); });
}

std::string Browser::tab(const TestLine& at) {
  return attempt("tab", at, [&] { return driver_->get("/window"); });
}

std::string Browser::new_tab(const TestLine& at) {
  const json made = attempt("new tab", at, [&] { return driver_->post("/window/new", {{"type", "tab"}}); });
  use_tab(made.at("handle"), at);
  return made.at("handle");
}

void Browser::use_tab(const std::string& tab, const TestLine& at) {
  attempt("use tab", at, [&] {
    driver_->post("/window", {{"handle", tab}});
    return show_as_told(), json();
  });
}

std::string Browser::add_authenticator(const TestLine& at) {
  return attempt("add an authenticator", at, [&] {
    return driver_->post("/webauthn/authenticator", {{"protocol", "ctap2"},
                                                     {"transport", "internal"},
                                                     {"hasResidentKey", true},
                                                     {"hasUserVerification", true},
                                                     {"isUserConsenting", true},
                                                     {"isUserVerified", true}});
  });
}

void Browser::remove_authenticator(const std::string& id, const TestLine& at) {
  attempt("remove the authenticator", at, [&] { return driver_->remove("/webauthn/authenticator/" + id); });
}

std::size_t Browser::passkeys(const std::string& authenticator, const TestLine& at) {
  return attempt("passkeys", at,
                 [&] { return driver_->get("/webauthn/authenticator/" + authenticator + "/credentials"); })
      .size();
}

}  // namespace test
