#include "http/api/routes.hpp"

#include <algorithm>
#include <boost/algorithm/string/join.hpp>

#include "http/api/path_pattern.hpp"

namespace http {

using actors::Code;

const std::vector<Route>& route_table() {
  static const std::vector<Route> kTable = [] {
    std::vector<Route> all;
    for (auto* part : {analysis_routes, media_routes, public_routes})
      for (Route& route : part()) all.push_back(std::move(route));
    return all;
  }();
  return kTable;
}

Parameter project_id_parameter() {
  return {Parameter::In::path, field::integer("projekt_id", "Nummer des Projekts", "4711").at_least(1)};
}

std::vector<Code> errors_of(const Route& route) {
  std::vector<Code> all;
  const auto add = [&all](std::initializer_list<Code> codes) {
    for (const Code code : codes) all.push_back(code);
  };
  if (route.keyed()) add({Code::schluessel_fehlt, Code::schluessel_ungueltig});
  for (const Code code : route.refusals) all.push_back(code);
  add({Code::ratengrenze});
  if (route.keyed()) add({Code::dienst_ueberlastet, Code::interner_fehler});
  return all;
}

namespace {

/// A path of the table with its methods.
struct Resource {
  Segments pattern;
  std::vector<const Route*> routes;
  std::string allowed;
};

/// Each method once, in the order of the table.
std::string allowed_of(const std::vector<const Route*>& routes) {
  std::vector<std::string> methods;
  const auto add = [&methods](std::string_view method) {
    if (std::find(methods.begin(), methods.end(), method) == methods.end()) methods.emplace_back(method);
  };
  for (const Route* route : routes) {
    add(route->method);
    if (route->method == "GET" && route->head) add("HEAD");
  }
  add("OPTIONS");
  return boost::algorithm::join(methods, ", ");
}

std::vector<Resource> resources() {
  std::vector<Resource> all;
  for (const Route& route : route_table()) {
    const Segments pattern = segments(route.path);
    auto it = std::find_if(all.begin(), all.end(), [&](const Resource& r) { return r.pattern == pattern; });
    if (it == all.end()) it = all.insert(all.end(), {pattern, {}, {}});
    it->routes.push_back(&route);
  }
  for (Resource& resource : all) resource.allowed = allowed_of(resource.routes);
  return all;
}

}  // namespace

const std::string& allowed_anywhere() {
  static const std::string kAllowed = [] {
    std::vector<const Route*> all;
    for (const Route& route : route_table()) all.push_back(&route);
    std::stable_sort(all.begin(), all.end(),
                     [](const Route* a, const Route* b) { return a->method < b->method; });
    return allowed_of(all);
  }();
  return kAllowed;
}

Routed find_route(std::string_view method, std::string_view path) {
  static const std::vector<Resource> kResources = resources();
  if (!path.starts_with('/')) return {};
  const Segments given = segments(path);
  const auto it = std::find_if(kResources.begin(), kResources.end(),
                               [&](const Resource& r) { return fits(r.pattern, given); });
  if (it == kResources.end()) return {};
  Routed routed{.allowed = it->allowed};
  const std::string_view looked_up = method == "HEAD" ? "GET" : method;
  for (const Route* route : it->routes)
    if (route->method == looked_up && (method != "HEAD" || route->head)) routed.route = route;
  if (routed.route)
    for (std::size_t i = 0; i < given.size(); ++i)
      if (is_placeholder(it->pattern[i])) routed.parameters.emplace_back(given[i]);
  return routed;
}

}  // namespace http
