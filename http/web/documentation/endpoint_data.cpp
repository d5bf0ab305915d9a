#include <map>

#include "http/api/limit_table.hpp"
#include "http/web/documentation/commands.hpp"
#include "http/web/documentation/documentation_data.hpp"
#include "http/web/html_text.hpp"
#include "http/web/pages/page_data.hpp"

namespace http {
namespace {

/// The chip's colour: done, the client's turn, ours.
const char* colour_of(int status) { return status < 400 ? "good" : status < 500 ? "warn" : "bad"; }

TemplateData status_data(int status) {
  TemplateData data(TemplateData::type::object);
  data.set("status", std::to_string(status));
  data.set("status_farbe", std::string(colour_of(status)));
  return data;
}

TemplateData success_list(const Route& route) {
  TemplateData successes = list();
  for (const Success& success : route.successes) {
    TemplateData data = status_data(success.status);
    data.set("erfolg_text", std::string(success.about));
    data.set("erfolg_schema", text_or_none(std::string(success.schema)));
    TemplateData types = list();
    for (const std::string_view type : success.types) {
      TemplateData one = object();
      one.set("medientyp", std::string(type));
      types << one;
    }
    data.set("medientypen", types);
    successes << data;
  }
  return successes;
}

/// The codes that an endpoint may answer with, by status.
TemplateData refusal_list(const Route& route) {
  std::map<int, TemplateData> by_status;
  for (const actors::Code code : errors_of(route)) {
    TemplateData one = object();
    one.set("absage_code", std::string(actors::name_of(code)));
    by_status.try_emplace(error_row(code).status, TemplateData::type::list).first->second << one;
  }
  TemplateData refusals = list();
  for (const auto& [status, codes] : by_status) {
    TemplateData data = status_data(status);
    data.set("absage_codes", codes);
    refusals << data;
  }
  return refusals;
}

TemplateData parameter_list(const Route& route) {
  TemplateData parameters = list();
  for (const Parameter& parameter : route.parameters)
    parameters << field_data(parameter.field, parameter.in == Parameter::In::path ? "im Pfad" : "");
  return parameters;
}

TemplateData body_list(const Route& route) {
  TemplateData fields = list();
  if (!route.body.schema.empty())
    for (const Field& field : schema_of(route.body.schema).fields) fields << field_data(field);
  return fields;
}

TemplateData endpoint_data(const Route& route, const PageContext& context) {
  TemplateData data = command_data("aufruf-" + std::string(route.id), curl_of(route, context));
  data.set("endpunkt_id", std::string(route.id));
  data.set("endpunkt_methode", std::string(route.method));
  data.set("endpunkt_schreibt", flag(route.method != "GET"));
  data.set("endpunkt_pfad_html", html::breakable(route.path));
  data.set("endpunkt_titel", std::string(route.summary));
  data.set("endpunkt_text", std::string(route.about));
  data.set("braucht_schluessel", flag(route.keyed()));
  const RateLimit rate = rate_limit(route.limit, context.options);
  data.set("endpunkt_grenze",
           text_or_none(route.keyed() ? rate.text() + ": " + std::string(rate.covers) : std::string()));
  data.set("hat_parameter", flag(!route.parameters.empty()));
  data.set("parameter", parameter_list(route));
  data.set("hat_inhalt", flag(!route.body.schema.empty()));
  data.set("inhalt_noetig", flag(route.body.required));
  data.set("inhalt_felder", body_list(route));
  data.set("erfolge", success_list(route));
  data.set("absagen", refusal_list(route));
  return data;
}

}  // namespace

TemplateData endpoint_list(const PageContext& context) {
  TemplateData endpoints = list();
  for (const Route& route : route_table()) endpoints << endpoint_data(route, context);
  return endpoints;
}

}  // namespace http
