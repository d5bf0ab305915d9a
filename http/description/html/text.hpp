// The pages' prose is HTML with placeholders {{name}} and {{name argument}} for our own data: an address, a
// limit, a command, an example, a link to an error.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "http/api/page_context.hpp"

namespace http::html {

using Values = std::map<std::string, std::function<std::string(const std::string& argument)>, std::less<>>;

/// The placeholders of both pages; text.cpp has the list.
Values page_values(const PageContext& context);

/// Throws std::out_of_range for a name that is not among the values, which is a programming error.
std::string filled_in(std::string_view text, const Values& values);

}  // namespace http::html
