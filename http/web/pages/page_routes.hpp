// The one table of pages: address, who may see it, what answers it.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/api/routes.hpp"
#include "http/web/visit.hpp"

namespace http {

struct PageRoute {
  Route named;             ///< method, path and id, for the log and the figures
  bool signed_in = false;  ///< anybody else is led to the sign-in
  PageTask (*page)(PageVisitPtr) = nullptr;
  bool part = false;  ///< of other pages: a picture, points of a map
  /// Of a form whose page reads them from its address too: they outlast a session that has ended meanwhile.
  std::vector<const char*> lasting_fields = {};
  /// Somebody who was never signed in here is led to the sign-up, not to the sign-in.
  bool for_newcomers = false;
};

const std::vector<PageRoute>& page_table();

/// Where a method and a path lead. HEAD is a GET.
struct PageRouted {
  const PageRoute* route = nullptr;
  std::vector<std::string> parameters;
  std::set<std::string> allowed;  ///< the methods of a path that is known, but not with this one
};
PageRouted find_page(std::string_view method, std::string_view path);

/// For a query's value (RFC 3986).
std::string url_encoded(std::string_view text);

// The table's parts, each beside its pages.
std::vector<PageRoute> public_page_routes();
std::vector<PageRoute> sign_in_routes();
std::vector<PageRoute> project_list_routes();
std::vector<PageRoute> project_routes();
std::vector<PageRoute> key_routes();
std::vector<PageRoute> account_routes();

}  // namespace http
