// A project's files for downloading: pictures, model, figures.
#pragma once
#include "geo/roof_analysis.hpp"
#include "http/web/pages/project_visit.hpp"
#include "http/web/template.hpp"

namespace http {

/// The list of what there is, and the model's address for the 3D view.
void add_downloads(const actors::ProjectRecord& record, const geo::RoofAnalysis& analysis,
                   TemplateData& data);

/// GET /projekte/{projekt_id}/datei/{name}
PageTask project_file(PageVisitPtr visit);

}  // namespace http
