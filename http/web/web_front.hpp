// What happens to a request of a browser, in this order: path, method, calling address well-formed, where it
// comes from, form; then the actors of visit.hpp: the calling address's limits, the session, the page. For
// parts of a page the session comes before the limits.
#pragma once
#include <atomic>
#include <caf/actor_system.hpp>
#include <optional>
#include <vector>

#include "actors/service.hpp"
#include "http/web/site.hpp"
#include "http/web/visit.hpp"
#include "http/wire/calling_address.hpp"
#include "http/wire/server.hpp"

namespace http {

/// A style, script or picture of the pages: its name carries a hash of its bytes, so browsers keep it for
/// good. Nothing: the request asks for something else.
std::optional<Response> page_file(const Request& request);

class WebFront {
 public:
  WebFront(caf::actor_system& system, const actors::Service& service, SitePtr site, std::uint32_t makers,
           std::chrono::seconds deadline, const std::string& trusted_proxies,
           const actors::MetersPtr& meters);

  /// Whether a request that is for no file of ours is for the pages: it comes from a browser and is not for
  /// the API. A client of the API that has mistyped its path gets the API's answer.
  static bool concerns(const Request& request);
  void handle(Request&& request, Responder responder);
  void stop() const;
  /// Those that make pages.
  std::vector<caf::actor> everyone() const;

 private:
  Response refused(int status, const std::string& what, const Responder& responder) const;

  const actors::Service& service_;
  SitePtr site_;
  CallingAddress calling_address_;
  Errands errands_;
  std::vector<Visits> visits_;
  std::atomic<std::size_t> turn_{0};
};

}  // namespace http
