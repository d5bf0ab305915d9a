// A finished analysis as the project's page shows it.
#pragma once
#include <string>
#include <vector>

#include "geo/roof_analysis.hpp"
#include "http/web/template.hpp"

namespace http {

/// Adds the figures, surfaces, warnings and sources of templates/projekt_fertig.html.
void add_result(const geo::RoofAnalysis& analysis, TemplateData& data);

/// The surfaces as a GeoJSON FeatureCollection (RFC 7946). Each has the address: files of several houses are
/// laid together.
std::string surfaces_geojson(const geo::RoofAnalysis& analysis, const std::string& address);

}  // namespace http
