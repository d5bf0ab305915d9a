// The contract's Ergebnis: a finished analysis as JSON.
#pragma once
#include <string>

#include "actors/projects/result_view.hpp"
#include "http/api/links.hpp"

namespace http {

std::string ergebnis_json(const actors::ResultView& result, const Links& links);

}  // namespace http
