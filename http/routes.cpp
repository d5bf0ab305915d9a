#include "http/routes.hpp"

#include <optional>
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
