#include "tests/browser/webdriver.hpp"

#include <curl/curl.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <thread>

namespace test {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;

constexpr const char* kDriver = "/usr/bin/chromedriver";
constexpr const char* kChromium = "/usr/bin/chromium";
constexpr auto kDriverStarts = 30s;
constexpr long kCommandTakes_s = 120;  // a page that loads on a busy machine

std::string file_text(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// The same letters on every machine, whatever else is installed: DejaVu's of fonts-dejavu-core.
void write_font_configuration(const std::string& folder) {
  std::ofstream file(folder + "/fonts.conf");
  file << R"(<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
<dir>/usr/share/fonts/truetype/dejavu</dir>
<selectfont><rejectfont><glob>*Oblique*</glob><glob>*Italic*</glob><glob>*Condensed*</glob>
<glob>*ExtraLight*</glob><glob>*Math*</glob></rejectfont></selectfont>
)"
       << "<cachedir>" << folder << "/fonts</cachedir>\n";
  const auto taken_for = [&file](const char* asked, const char* given) {
    file << "<match><test name=\"family\"><string>" << asked
         << "</string></test><edit name=\"family\" mode=\"assign\" binding=\"same\"><string>" << given
         << "</string></edit></match>\n";
  };
  taken_for("Courier New", "DejaVu Sans Mono");
  taken_for("monospace", "DejaVu Sans Mono");
  taken_for("Times New Roman", "DejaVu Serif");
  taken_for("serif", "DejaVu Serif");
  file << "<match><edit name=\"family\" mode=\"append_last\"><string>DejaVu Sans</string></edit></match>\n"
          "</fontconfig>\n";
}

/// This process's environment with the browser's files in `folder`.
std::vector<std::string> environment_in(const std::string& folder) {
  std::vector<std::string> all;
  for (const char* name : {"HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"})
    all.push_back(std::string(name) + "=" + folder);
  all.push_back("FONTCONFIG_FILE=" + folder + "/fonts.conf");
  all.emplace_back("LANG=C.UTF-8");
  all.emplace_back("LANGUAGE=de");
  all.emplace_back("PATH=/usr/bin:/bin");
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

json chromium_arguments(const std::string& folder) {
  json arguments{"--headless=new", "--remote-debugging-pipe", "--user-data-dir=" + folder + "/profile",
                 // WebGL without a graphics card; pages are put together without one, which costs less
                 "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-compositing",
                 // nothing outside
                 "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost",
                 "--no-proxy-server", "--disable-component-update", "--disable-background-networking",
                 "--disable-sync", "--no-first-run", "--no-default-browser-check",
                 // the same picture everywhere
                 "--lang=de-DE", "--hide-scrollbars", "--force-color-profile=srgb", "--disable-lcd-text",
                 "--font-render-hinting=none", "--window-size=1280,900"};
  if (::geteuid() == 0) arguments.push_back("--no-sandbox");  // which root cannot have
  return arguments;
}

json capabilities(const std::string& folder) {
  const json chromium{{"binary", kChromium},
                      {"args", chromium_arguments(folder)},
                      {"prefs",
                       {{"intl.accept_languages", "de-DE,de"},
                        {"credentials_enable_service", false},
                        {"profile.password_manager_leak_detection", false},
                        {"download.default_directory", folder}}}};
  return {{"capabilities",
           {{"alwaysMatch",
             {{"browserName", "chrome"},
              {"acceptInsecureCerts", true},
              {"unhandledPromptBehavior", "ignore"},
              {"goog:loggingPrefs", {{"browser", "ALL"}}},
              {"goog:chromeOptions", chromium}}}}}};
}

std::size_t append(const char* bytes, std::size_t size, std::size_t count, void* text) {
  static_cast<std::string*>(text)->append(bytes, size * count);
  return size * count;
}

std::unique_ptr<WebDriver>& idle() {
  static std::unique_ptr<WebDriver> one;
  return one;
}

}  // namespace

void WebDriver::Curl::operator()(void* handle) const { curl_easy_cleanup(handle); }

WebDriver::WebDriver() : curl_(curl_easy_init()), maker_(::getpid()) {
  for (const char* program : {kDriver, kChromium})
    if (!std::filesystem::exists(program))
      throw std::runtime_error(std::string(program) +
                               " is missing: ./roof test installs Debian's chromium and chromium-driver");
  folder_ = (std::filesystem::temp_directory_path() / "roof_browser_XXXXXX").string();
  if (!::mkdtemp(folder_.data())) throw std::runtime_error("no temporary folder");
  write_font_configuration(folder_);
  start_driver();
  await_driver();
  start_session();
}

WebDriver::~WebDriver() {
  try {
    if (!session_.empty()) remove("");  // Chromium ends
  } catch (const std::exception&) {     // then by the next line
  }
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::unique_ptr<WebDriver> WebDriver::idle_or_new() {
  // A forked test has a copy of what its parent's is.
  if (idle() && idle()->maker_ == ::getpid()) return std::move(idle());
  return std::make_unique<WebDriver>();
}

void WebDriver::leave_to_the_next(std::unique_ptr<WebDriver> driver) {
  if (idle()) return;
  driver->forget_everything();
  idle() = std::move(driver);
}

void WebDriver::forget_everything() {
  const json left = get("/window/handles");
  const json fresh = post("/window/new", {{"type", "tab"}});  // what was emulated belongs to a tab
  for (const json& tab : left) {
    post("/window", {{"handle", tab}});
    remove("/window");
  }
  post("/window", {{"handle", fresh.at("handle")}});
  devtools("Network.clearBrowserCookies", json::object());
  devtools("Network.clearBrowserCache", json::object());
  devtools("Storage.clearDataForOrigin", {{"origin", "*"}, {"storageTypes", "all"}});
  post("/se/log", {{"type", "browser"}});
}

void WebDriver::start_driver() {
  std::vector<std::string> arguments{kDriver, "--port=0"};
  std::vector<std::string> environment = environment_in(folder_);
  const auto argv = pointers(arguments), envp = pointers(environment);
  const std::string out = folder_ + "/driver";
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ != 0) return;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // it has died before
  const int file = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::dup2(file, STDOUT_FILENO);
  ::dup2(file, STDERR_FILENO);
  ::execve(kDriver, argv.data(), envp.data());
  ::_exit(127);
}

void WebDriver::await_driver() {
  static const std::regex kPort("successfully on port (\\d+)");
  const auto until = std::chrono::steady_clock::now() + kDriverStarts;
  std::string printed;
  for (std::smatch found; std::chrono::steady_clock::now() < until; std::this_thread::sleep_for(5ms)) {
    printed = file_text(folder_ + "/driver");
    if (!std::regex_search(printed, found, kPort)) continue;
    port_ = static_cast<std::uint16_t>(std::stoi(found[1]));
    return;
  }
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
  throw std::runtime_error("chromedriver does not start: " + printed);
}

void WebDriver::start_session() {
  try {
    const json made = request("POST", "/session", capabilities(folder_).dump());
    session_ = "/session/" + made.at("sessionId").get<std::string>();
  } catch (const std::exception&) {  // the destructor is not called
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    throw;
  }
}

json WebDriver::get(const std::string& path) { return request("GET", session_ + path, {}); }
json WebDriver::post(const std::string& path, const json& body) {
  return request("POST", session_ + path, body.dump());
}
json WebDriver::remove(const std::string& path) { return request("DELETE", session_ + path, {}); }
json WebDriver::devtools(const std::string& command, const json& parameters) {
  return post("/goog/cdp/execute", {{"cmd", command}, {"params", parameters}});
}

json WebDriver::request(const char* method, const std::string& path, const std::string& body) {
  const std::string url = "http://127.0.0.1:" + std::to_string(port_) + path;
  const std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> headers(
      curl_slist_append(nullptr, "Content-Type: application/json; charset=utf-8"), curl_slist_free_all);
  std::string answer;
  void* const curl = curl_.get();
  curl_easy_reset(curl);
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT, kCommandTakes_s);
  curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, method);
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.get());
  if (!body.empty()) {
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body.data());
  }
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, append);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &answer);
  if (const CURLcode code = curl_easy_perform(curl); code != CURLE_OK)
    throw WebDriverError("no answer", std::string("chromedriver: ") + curl_easy_strerror(code));
  json value = json::parse(answer).at("value");
  if (value.is_object() && value.contains("error") && value.contains("stacktrace"))
    throw WebDriverError(value.at("error"), value.at("message"));
  return value;
}

}  // namespace test
