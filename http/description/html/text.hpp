// The pages' prose is written as HTML with {{name}} and {{name argument}} where something of ours belongs: an
// address, a limit, a command, an example, a link to an error.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "http/api/page_context.hpp"

namespace http::html {

using Values = std::map<std::string, std::function<std::string(const std::string& argument)>, std::less<>>;

/// What both pages can name; text.cpp has the list.
Values page_values(const PageContext& context);

/// A name that is not among the values is a mistake of ours: std::out_of_range.
std::string filled_in(std::string_view text, const Values& values);

}  // namespace http::html
