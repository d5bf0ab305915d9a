// Listings as they came from the offices, kept in a folder: asked for again when they are old, used as they
// are when the program may not ask (--offline).
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "geo/failure.hpp"
#include "geo/offices/listed.hpp"
#include "geo/offices/recipe.hpp"

namespace geo::offices {

/// How listings are asked for. All empty: they are not, the kept ones must do.
struct Asking {
  std::function<Result<std::string>(const std::string& url)> text;
  std::function<Result<std::string>(const std::string& url)> folder;  ///< of a share, by WebDAV
  /// Bytes of a file, as many as asked for.
  std::function<Result<std::string>(const std::string& url, std::uint64_t first, std::uint64_t count)> bytes;
  std::function<Result<std::uint64_t>(const std::string& url)> size;
};

class ListingStore {
 public:
  ListingStore(std::filesystem::path folder, Asking asking)
      : folder_(std::move(folder)), asking_(std::move(asking)) {}

  /// All that the office lists for a source, page after page. `window_deg` narrows what a STAC server is
  /// asked for. `anew`: even when the kept listing is young.
  Result<std::vector<ListedFile>> files_of(const Source& source, const Box* window_deg, bool anew) const;

  /// Where the listing of a URL is kept.
  std::filesystem::path file_of(const std::string& url) const;
  bool offline() const { return !asking_.text; }

 private:
  Result<std::string> kept_or_asked(const std::string& url, const Source& source, bool anew) const;
  Result<std::string> asked(const std::string& url, FindMethod method) const;
  std::filesystem::path folder_;
  Asking asking_;
};

}  // namespace geo::offices
