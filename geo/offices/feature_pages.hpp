// Pages of a feature service: WFS and OGC API Features, as GeoJSON or as GML.
#pragma once
#include <filesystem>
#include <map>
#include <string>

#include "geo/failure.hpp"
#include "geo/offices/listed.hpp"

namespace geo::offices {

/// Whether a set's pages hold what they must. To a service it is no error to send fewer features than a page
/// was asked for, nor the first page again and again.
class PageCheck {
 public:
  /// A page as it came. invalid_input, with a sentence that begins with its URL, when it holds fewer features
  /// than it must, begins as another page does, or is no page at all. What the service has more or fewer now
  /// than when it was counted is no fault.
  Result<void> look_at(const std::filesystem::path& file, const ListedFile& listed);

 private:
  std::map<std::string, std::string> begun_;  ///< a page's first feature, and the page's URL
};

}  // namespace geo::offices
