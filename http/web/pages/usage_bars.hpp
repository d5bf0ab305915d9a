// The requests of the last thirty days as bars and as a table.
#pragma once
#include "actors/sign_in/values.hpp"
#include "http/web/template.hpp"

namespace http {

/// Adds what the page Verbrauch shows of the days.
void add_usage_bars(const actors::Usage& usage, std::int64_t now_ms, TemplateData& data);

}  // namespace http
