#include "geo/addresses/pages.hpp"

#include <algorithm>

namespace geo {

std::vector<PagesInMemory::Page>::const_iterator PagesInMemory::from(PageId id) const {
  return std::lower_bound(pages_.begin(), pages_.end(), id,
                          [](const Page& page, PageId wanted) { return page.first < wanted; });
}

bool PagesInMemory::read(PageId id, std::string& bytes) const {
  const auto page = from(id);
  if (page == pages_.end() || page->first != id) return false;
  bytes = page->second;
  return true;
}

void PagesInMemory::visit(PageId first, PageId last,
                          const std::function<bool(PageId, std::string_view)>& take) const {
  for (auto page = from(first); page != pages_.end() && page->first <= last; ++page)
    if (!take(page->first, page->second)) return;
}

}  // namespace geo
