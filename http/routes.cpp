#include "http/routes.hpp"

#include <optional>

#include "http/forms.hpp"
#include "http/pages.hpp"

namespace http {

using actors::LimitClass;

const std::vector<Route>& route_table() {
  static const std::vector<Route> kTable{
      {"POST", "/projekte",
       [](const Request& request, const PathParameters&) { return read_create_project(request); },
       LimitClass::create},
      {"GET", "/projekte",
       [](const Request& request, const PathParameters&) { return read_list_projects(request); },
       LimitClass::status},
      {"GET", "/projekte/{projekt_id}/dachanalyse",
       [](const Request&, const PathParameters& path) { return read_query_analysis(path[0]); }, LimitClass::status},
      {"POST", "/projekte/{projekt_id}/dachanalyse",
       [](const Request& request, const PathParameters& path) { return read_restart(request, path[0]); },
       LimitClass::create},
      {.method = "GET", .path = "/lastprofile", .page = load_profiles_page},
  };
  return kTable;
}

namespace {

std::vector<std::string_view> segments(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    path.remove_prefix(1);  // the slash
    const auto slash = path.find('/');
    parts.push_back(path.substr(0, slash));
    path = slash == std::string_view::npos ? std::string_view() : path.substr(slash);
  }
  return parts;
}

std::optional<PathParameters> match(std::string_view pattern, std::string_view path) {
  const auto wanted = segments(pattern);
  const auto given = segments(path);
  if (wanted.size() != given.size()) return {};
  PathParameters parameters;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i].starts_with('{'))
      parameters.emplace_back(given[i]);
    else if (wanted[i] != given[i])
      return {};
  }
  return parameters;
}

}  // namespace

Routed find_route(std::string_view method, std::string_view path) {
  Routed routed;
  if (!path.starts_with('/')) return routed;
  const std::string_view looked_up = method == "HEAD" ? "GET" : method;
  for (const Route& route : route_table()) {
    const auto parameters = match(route.path, path);
    if (!parameters) continue;
    if (route.method == looked_up) {
      routed.route = &route;
      routed.parameters = *parameters;
    }
    if (!routed.allowed.empty()) routed.allowed += ", ";
    routed.allowed += route.method;
    if (route.method == "GET") routed.allowed += ", HEAD";
  }
  if (!routed.allowed.empty()) routed.allowed += ", OPTIONS";
  return routed;
}

}  // namespace http
