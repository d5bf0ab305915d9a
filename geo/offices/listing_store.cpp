#include "geo/offices/listing_store.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <set>

#include "geo/offices/data_folder.hpp"
#include "geo/offices/found_files.hpp"
#include "geo/offices/listing_forms.hpp"

namespace geo::offices {
namespace {

constexpr std::size_t kMostPages = 20'000;
constexpr std::uint64_t kZipTail = 128 * 1024;
constexpr std::uint64_t kLargestDirectory = 512ULL << 20U;

std::string with_window(const std::string& url, const Box& window) {
  std::array<char, 120> text{};
  std::snprintf(text.data(), text.size(), "%cbbox=%.4f,%.4f,%.4f,%.4f",
                url.find('?') == std::string::npos ? '?' : '&', window.min_x, window.min_y, window.max_x,
                window.max_y);
  return url + text.data();
}

bool is_young(const std::filesystem::path& file, int days) {
  std::error_code error;
  const auto written = std::filesystem::last_write_time(file, error);
  return !error && std::filesystem::file_time_type::clock::now() - written < std::chrono::hours(24) * days;
}

Result<std::string> zip_directory_of(const std::string& url, const Asking& asking) {
  const auto size = asking.size(url);
  if (!size) return tl::make_unexpected(size.error());
  const std::uint64_t tail_bytes = std::min(*size, kZipTail);
  const auto tail = asking.bytes(url, *size - tail_bytes, tail_bytes);
  if (!tail) return tl::make_unexpected(tail.error());
  const auto place = find_zip_directory(*tail, *size, url);
  if (!place) return tl::make_unexpected(place.error());
  if (place->bytes > kLargestDirectory)
    return fail(FailureKind::invalid_input, url + ": its table of contents is too long");
  if (place->offset >= *size - tail_bytes)
    return tail->substr(place->offset - (*size - tail_bytes), place->bytes);
  return asking.bytes(url, place->offset, place->bytes);
}

}  // namespace

std::filesystem::path ListingStore::file_of(const std::string& url) const {
  return folder_ / file_name_of(url);
}

Result<std::string> ListingStore::asked(const std::string& url, FindMethod method) const {
  if (method == FindMethod::zip_members) return zip_directory_of(url, asking_);
  return method == FindMethod::webdav ? asking_.folder(url) : asking_.text(url);
}

Result<std::string> ListingStore::kept_or_asked(const std::string& url, const Source& source,
                                                bool anew) const {
  const std::filesystem::path file = file_of(url);
  std::error_code error;
  const bool is_kept = std::filesystem::exists(file, error);
  if (offline() && !is_kept)
    return fail(FailureKind::data_unreachable,
                source.id + ": the listing " + url +
                    " is not kept here, and --offline asks nobody; run it once without");
  if (is_kept && (offline() || (!anew && is_young(file, source.refresh_days)))) {
    std::ifstream in(file, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(in), {});
    if (in || !text.empty()) return text;
  }
  auto text = asked(url, source.find.method);
  if (!text) return tl::make_unexpected(text.error());
  // A page that cannot be read, or says that the office is under repair, is not kept: it would stand in the
  // way of the next try, or take the place of a good one. Only the last of several pages may be empty, and a
  // STAC server's answer for an area.
  auto sound = read_listing(*text, url, source.find);
  if (!sound) return tl::make_unexpected(sound.error());
  const auto& urls = source.find.urls;
  const bool must_hold_some =
      source.find.method != FindMethod::stac && std::find(urls.begin(), urls.end(), url) != urls.end();
  if (must_hold_some && found_files(source, std::move(sound->files), {}).files.empty())
    return nothing_listed(source, url);
  if (const auto kept = write_whole(file, *text); !kept) return tl::make_unexpected(kept.error());
  return text;
}

Result<std::vector<ListedFile>> ListingStore::files_of(const Source& source, const Box* window_deg,
                                                       bool anew) const {
  std::vector<ListedFile> files;
  if (source.find.method == FindMethod::tile_numbers) return files;
  for (const std::string& first : source.find.urls) {
    if (source.find.method == FindMethod::file) {
      files.push_back({.url = first});
      continue;
    }
    std::set<std::string> seen;
    const bool narrows = source.find.method == FindMethod::stac && window_deg;
    for (std::string url = narrows ? with_window(first, *window_deg) : first; !url.empty();) {
      if (!seen.insert(url).second || seen.size() > kMostPages)
        return fail(FailureKind::invalid_input, url + ": the listing's pages go round in a circle");
      const auto text = kept_or_asked(url, source, anew);
      if (!text) return tl::make_unexpected(text.error());
      auto page = read_listing(*text, url, source.find);
      if (!page) return tl::make_unexpected(page.error());
      if (files.size() + page->files.size() > kMostListed)
        return fail(FailureKind::invalid_input, url + ": lists more than a million files");
      std::move(page->files.begin(), page->files.end(), std::back_inserter(files));
      url = page->next;
    }
  }
  return files;
}

}  // namespace geo::offices
