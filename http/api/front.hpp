// What happens to every request, in this order: path, method, the calling address's limits, key, the
// account's limit, form. The actors apply all from the calling address's limits on (README.md).
#pragma once
#include <atomic>
#include <caf/actor_system.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "actors/service.hpp"
#include "http/api/asker.hpp"
#include "http/api/page_context.hpp"
#include "http/api/reception.hpp"
#include "http/api/reply_rules.hpp"
#include "http/wire/calling_address.hpp"
#include "http/wire/server.hpp"

namespace http {

struct FrontOptions {
  std::uint32_t askers = 4;
  std::uint32_t deadline_s = 30;  ///< of one request
  std::string trusted_proxies;    ///< addresses and networks whose X-Forwarded-For is believed
  std::string cors_origin;        ///< origins whose web pages may use the service, by commas; empty: none
};

class Front {
 public:
  /// `answered` is called for every answer, from any thread.
  Front(caf::actor_system& system, const actors::Service& service, const PageContext& context,
        const FrontOptions& options, const actors::MetersPtr& meters,
        std::function<void(const Exchange&, const Response&)> answered);

  /// For Server::start. The front must outlive the server.
  ServerHandlers handlers();
  /// Ends the front's actors, so that the actor system can end.
  void stop() const;

  /// Those that hold requests.
  std::vector<caf::actor> everyone() const;

 private:
  void handle(Request&& request, Responder responder);

  const actors::Service& service_;
  Reception reception_;
  CallingAddress calling_address_;
  std::function<void(const Exchange&, const Response&)> answered_;
  std::vector<Asker> askers_;
  std::atomic<std::size_t> turn_{0};
};

}  // namespace http
