#include "http/web/pages/page_routes.hpp"

#include "http/api/path_pattern.hpp"

namespace http {
namespace {

void append_routes(std::vector<PageRoute>& table, std::vector<PageRoute> part) {
  table.insert(table.end(), std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
}

struct PageAddress {
  Segments pattern;
  const PageRoute* route;
};

std::vector<PageAddress> page_addresses() {
  std::vector<PageAddress> all;
  for (const PageRoute& route : page_table()) all.push_back({segments(route.named.path), &route});
  return all;
}

}  // namespace

const std::vector<PageRoute>& page_table() {
  static const std::vector<PageRoute> kTable = [] {
    std::vector<PageRoute> table;
    for (auto part : {public_page_routes, sign_in_routes, project_list_routes, project_routes, key_routes,
                      account_routes})
      append_routes(table, part());
    return table;
  }();
  return kTable;
}

PageRouted find_page(std::string_view method, std::string_view path) {
  static const std::vector<PageAddress> kAddresses = page_addresses();
  PageRouted routed;
  if (!path.starts_with('/')) return routed;
  const Segments given = segments(path);
  const std::string_view looked_up = method == "HEAD" ? "GET" : method;
  for (const PageAddress& address : kAddresses) {
    if (!fits(address.pattern, given)) continue;
    const std::string_view own = address.route->named.method;
    routed.allowed.emplace(own);
    if (own == "GET") routed.allowed.emplace("HEAD");
    if (own != looked_up) continue;
    routed.route = address.route;
    for (std::size_t i = 0; i < given.size(); ++i)
      if (is_placeholder(address.pattern[i])) routed.parameters.emplace_back(given[i]);
    return routed;
  }
  return routed;
}

std::string url_encoded(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (kPlain.find(c) != std::string_view::npos)
      out += c;
    else
      out += {'%', kHex[byte >> 4U], kHex[byte & 15U]};
  }
  return out;
}

}  // namespace http
