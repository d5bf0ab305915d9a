// The form's fields as the template shows them, and as the assumptions stand in a CSV.
#pragma once
#include <string>
#include <vector>

#include "http/web/economics/economics_form.hpp"
#include "http/web/template.hpp"

namespace http {

struct FormField {
  std::string name, title, unit, hint;
};
std::vector<FormField> plant_fields();
std::vector<FormField> price_fields(const Currency& currency);
/// `operation`: what its default is here, as a part of its hint.
std::vector<FormField> cost_fields(const Currency& currency, const std::string& operation);
std::vector<FormField> surface_fields(const geo::RoofAnalysis& analysis);

void add_form(const EconomicsInput& input, const EconomicsForm& form, TemplateData& data);

/// "belegung=empfohlen&speicher_kwh=5&...": the address of what is computed. Where a value was
/// wrong, with the default.
std::string query_of(const EconomicsForm& form);

std::string layout_code(LayoutChoice layout);

}  // namespace http
