// A route's path with {placeholders}, cut into segments, and whether a request's path fits it.
#pragma once
#include <algorithm>
#include <boost/container/static_vector.hpp>
#include <string_view>

namespace http {

using Segments = boost::container::static_vector<std::string_view, 6>;  // the tables' deepest path

/// Empty when the path has more segments than any path of the tables.
inline Segments segments(std::string_view path) {
  Segments parts;
  while (!path.empty()) {
    if (parts.size() == parts.capacity()) return {};
    path.remove_prefix(1);  // the slash
    const auto slash = path.find('/');
    parts.push_back(path.substr(0, slash));
    path = slash == std::string_view::npos ? std::string_view() : path.substr(slash);
  }
  return parts;
}

inline bool is_placeholder(std::string_view segment) { return segment.starts_with('{'); }

inline bool fits(const Segments& pattern, const Segments& path) {
  return std::equal(pattern.begin(), pattern.end(), path.begin(), path.end(),
                    [](auto wanted, auto given) { return is_placeholder(wanted) || wanted == given; });
}

}  // namespace http
