// The one table of endpoints. Routing, 404 and 405 come from it; so do the description and the documentation.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "actors/messages.hpp"
#include "http/links.hpp"
#include "http/request.hpp"
#include "http/response.hpp"

namespace http {

using PathParameters = std::vector<std::string>;  ///< the values of a path's {placeholders}, in order

struct Route {
  std::string_view method;
  std::string_view path;  ///< below {base_url}, with {placeholders}
  /// Endpoints that need a key: what the request asks of the actors.
  actors::Command (*command)(const Request&, const PathParameters&) = nullptr;
  actors::LimitClass limit = actors::LimitClass::status;
  int retry_at_least_s = 0;
  /// Public pages: the answer itself.
  Response (*page)(const Links&) = nullptr;
};

const std::vector<Route>& route_table();

/// What a method and a path below {base_url} lead to.
struct Routed {
  const Route* route = nullptr;    ///< null: see `allowed`
  PathParameters parameters;
  std::string allowed;             ///< methods of the path, for Allow; empty: there is no such path
};
Routed find_route(std::string_view method, std::string_view path);

}  // namespace http
