// Pages of a test's own on loopback, by path, with the strict policy that ours have.
#pragma once
#include <map>
#include <string>

#include "tests/loopback_server.hpp"

namespace test {

/// A page without fault around `body`.
inline std::string good_page(const std::string& body, const std::string& head = {}) {
  return "<!DOCTYPE html><html lang=\"de\"><head><meta charset=\"utf-8\"><title>Haus</title>"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">" +
         head + "</head><body><main><h1>Haus</h1>" + body + "</main></body></html>";
}

class PageServer {
 public:
  explicit PageServer(std::map<std::string, std::string> pages)
      : server_([pages = std::move(pages)](const LoopbackServer::Request& request) {
          const auto page = pages.find(std::string(request.target().substr(0, request.target().find('?'))));
          LoopbackServer::Answer answer;
          answer.status = page == pages.end() ? 404 : 200;
          answer.body = page == pages.end() ? good_page("<p>Nichts.</p>") : page->second;
          const bool is_style = page != pages.end() && page->first.ends_with(".css");
          answer.headers = {
              {"Content-Type", is_style ? "text/css" : "text/html; charset=utf-8"},
              {"Content-Security-Policy", "default-src 'none'; style-src 'self'; script-src 'self'"}};
          return answer;
        }) {}
  std::string url(const std::string& path = "/") const { return server_.url(path); }

 private:
  LoopbackServer server_;
};

}  // namespace test
