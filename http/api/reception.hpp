// Answers that need no actor: unknown paths and methods, OPTIONS.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "http/api/cors.hpp"
#include "http/api/page_context.hpp"
#include "http/api/public_pages.hpp"
#include "http/api/routes.hpp"
#include "http/wire/request.hpp"
#include "http/wire/response.hpp"

namespace http {

class Reception {
 public:
  Reception(const PageContext& context, std::string_view cors_origins);

  /// Where a request leads; paths that do not start with the contract's version lead nowhere.
  static Routed route(const Request& request);

  /// The answer if it can be given at once; nothing when the actors must be asked.
  std::optional<Response> answer(const Request& request, const Routed& routed) const;

  /// A public page, for callers whose address has been let in.
  Response page(const Route& route) const;

  /// The problem document of a request that no actor has seen.
  Response failure(actors::Code code, const std::string& request_id) const;

  const CorsPolicy& cors() const { return cors_; }

 private:
  Links links_;
  PublicPages pages_;
  CorsPolicy cors_;
};

/// The key as the contract takes it: the header wins over the URL.
std::string key_of(const Request& request);

}  // namespace http
