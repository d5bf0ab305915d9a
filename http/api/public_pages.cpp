#include "http/api/public_pages.hpp"

#include "http/api/digest.hpp"

namespace http {

PublicPages::PublicPages(const PageContext& context) {
  for (const Route& route : route_table()) {
    if (!route.page) continue;
    Response page = route.page(context);
    page.with("ETag", "\"" + sha256_base64(page.body) + "\"");
    page.with("Cache-Control", "public, max-age=300").with("Content-Language", "de");
    page.shared_body = std::make_shared<const std::string>(std::move(page.body));
    page.body.clear();
    pages_.emplace(&route, std::move(page));
  }
}

}  // namespace http
