// The overview picture as a part of the project's page.
#pragma once
#include <string>

namespace http {

struct Overview {
  std::string html;     ///< empty: the picture could not be read
  std::string width_m;  ///< of what it shows, "24"
};

/// `svg` is the service's own overview (geo/drawing/pictures.hpp). Only its map stays, and each
/// surface becomes a link to its row.
Overview overview_html(const std::string& svg);

}  // namespace http
