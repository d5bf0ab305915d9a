// The front page's example: a house of the sample region as the service computed it, and what the benchmarks
// say of the error.
#pragma once
#include "http/web/template.hpp"

namespace http {

void add_example_roof(TemplateData& data);

}  // namespace http
