// URLs of HTTP and HTTPS.
#pragma once
#include <optional>
#include <string>

namespace geo {

struct Url {
  std::string text;   ///< as it is asked for: spaces and letters beyond ASCII are percent-encoded
  std::string host;   ///< lower case
  std::string place;  ///< scheme, host and port: what is asked in turn
  std::string shown;  ///< for people and logs: no user, no password, no keys in the query
};

/// None for what is no URL, or one of another protocol.
std::optional<Url> parse_url(const std::string& text);

/// `text` with its secrets replaced, also when it is no URL that parse_url() takes.
std::string shown_url(const std::string& text);

}  // namespace geo
