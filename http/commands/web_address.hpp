// Checks whether a text is an address of the kind that an option takes.
#pragma once
#include <optional>
#include <string>

namespace http {

/// The path of an absolute http or https URL with a host and without user, query and fragment; nothing for
/// any other text.
std::optional<std::string> path_of_web_address(const std::string& text);

/// smtp://HOST or smtps://HOST, with or without a port, and with the name that greets the server as its path.
/// The user has an option of its own.
bool is_mail_server(const std::string& text);

}  // namespace http
