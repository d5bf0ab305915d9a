// Checks whether a text is an address from which links can be made.
#pragma once
#include <optional>
#include <string>

namespace http {

/// The path of an absolute http or https URL with a host and without user, query and fragment; nothing for
/// any other text.
std::optional<std::string> path_of_web_address(const std::string& text);

}  // namespace http
