// A request as the rest of the service sees it: decoded, its header names in lower case.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace http {

using NameValues = std::vector<std::pair<std::string, std::string>>;

struct Request {
  std::string id;      ///< ours; sent as X-Request-Id and written to the log
  std::string method;  ///< as sent: methods are case-sensitive
  std::string path;    ///< percent-decoded, without the query
  NameValues query;    ///< percent-decoded, "+" is a space
  NameValues headers;
  std::string body;
  std::string peer;         ///< address of the other end, without the port
  bool well_formed = true;  ///< false: the query's percent-encoding or UTF-8 is broken

  /// The first value of that name.
  std::optional<std::string_view> header(std::string_view lower_case_name) const {
    return first(headers, lower_case_name);
  }
  /// The values of every line of that name as one list, by commas (RFC 9110, 5.3).
  std::string list(std::string_view lower_case_name) const {
    std::string all;
    for (const auto& [name, value] : headers)
      if (name == lower_case_name) all += (all.empty() ? "" : ",") + value;
    return all;
  }
  std::optional<std::string_view> parameter(std::string_view name) const { return first(query, name); }

 private:
  static std::optional<std::string_view> first(const NameValues& values, std::string_view name) {
    for (const auto& [n, v] : values)
      if (n == name) return v;
    return {};
  }
};

/// Splits and decodes a request target into the request's path and query.
void read_target(std::string_view target, Request& request);

}  // namespace http
