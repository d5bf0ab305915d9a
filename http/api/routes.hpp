// The one table of endpoints. Routing, 404, 405 and OPTIONS come from it; so do the description for machines
// and the documentation.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "actors/values.hpp"
#include "http/api/page_context.hpp"
#include "http/api/schemas.hpp"
#include "http/wire/request.hpp"
#include "http/wire/response.hpp"

namespace http {

using PathParameters = std::vector<std::string>;  ///< the values of a path's {placeholders}, in order

struct Parameter {
  enum class In { path, query };
  In in = In::query;
  Field field;
};

/// A successful answer.
struct Success {
  int status = 200;
  std::string_view about;               ///< German
  std::string_view schema;              ///< of a JSON body; empty: no JSON
  std::vector<std::string_view> types;  ///< media types of other bodies
};

/// A body that an endpoint takes; always JSON.
struct RequestBody {
  std::string_view schema;  ///< empty: takes none
  bool required = false;
};

struct Route {
  std::string_view method;
  std::string_view path;     ///< below {base_url}, with {placeholders}
  std::string_view id;       ///< the description's operationId; also the anchor in the documentation
  std::string_view summary;  ///< German, a few words
  std::string_view about;    ///< German, further details for a client
  std::vector<Parameter> parameters;
  RequestBody body;
  std::vector<Success> successes;
  std::vector<actors::Code> refusals;  ///< its own; errors_of() adds those that all endpoints share

  /// For endpoints that need a key: the command that the request becomes.
  actors::Command (*command)(const Request&, const PathParameters&) = nullptr;
  actors::LimitClass limit = actors::LimitClass::status;
  int retry_at_least_s = 0;
  bool head = true;  ///< of a GET: HEAD is allowed, because the GET changes nothing
  /// For public pages: makes the answer.
  Response (*page)(const PageContext&) = nullptr;

  bool keyed() const { return command != nullptr; }
};

const std::vector<Route>& route_table();

/// Every code that an endpoint can answer with.
std::vector<actors::Code> errors_of(const Route& route);

/// Where a method and a path below {base_url} lead.
struct Routed {
  const Route* route = nullptr;  ///< null: see `allowed`
  PathParameters parameters;
  std::string_view allowed;  ///< methods of the path, for Allow; empty: there is no such path
};
Routed find_route(std::string_view method, std::string_view path);
/// The methods of all paths together, as `allowed` lists them.
const std::string& allowed_anywhere();

/// {projekt_id}, as most paths have it.
Parameter project_id_parameter();

// The table's parts (routes_analysis.cpp, routes_media.cpp, routes_public.cpp).
std::vector<Route> analysis_routes();
std::vector<Route> media_routes();
std::vector<Route> public_routes();

}  // namespace http
