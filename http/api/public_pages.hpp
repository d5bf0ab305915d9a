// The public pages' answers, made once when the program starts, with the header fields for caching.
#pragma once
#include <map>

#include "http/api/page_context.hpp"
#include "http/api/routes.hpp"
#include "http/wire/response.hpp"

namespace http {

class PublicPages {
 public:
  explicit PublicPages(const PageContext& context);
  /// The page of a route that has one.
  const Response& of(const Route& route) const { return pages_.at(&route); }

 private:
  std::map<const Route*, Response> pages_;
};

}  // namespace http
