#include "geo/offices/page_watch.hpp"

#include <filesystem>

#include "geo/offices/office_network.hpp"

namespace geo::offices {

PageWatch::PageWatch(const SetPlan& set, const DataFolder& folder)
    : set_(set), folder_(folder), looked_(set.found.files.size() + 1) {
  const auto& files = set.found.files;
  if (!files.empty() && files.back().listed.page)
    behind_ = page_behind(set.source->find, *files.back().listed.page);
}

const ListedFile* PageWatch::listed(std::size_t request) const {
  if (is_behind(request)) return behind_ ? &*behind_ : nullptr;
  const ListedFile& listed = set_.found.files[request].listed;
  return listed.page ? &listed : nullptr;
}

std::optional<FileRequest> PageWatch::request_behind() const {
  if (!behind_) return {};
  FileRequest request = request_of(*set_.source, *behind_, folder_);
  request.replace = true;
  return request;
}

void PageWatch::came(std::size_t request) {
  const ListedFile* const page = listed(request);
  if (!page) return;
  looked_[request] = pages_.look_at(folder_.download_of(page->url), *page);
  if (!looked_[request]) ++faulty_;
}

Result<void> PageWatch::finish() {
  auto whole = pages_.finish(set_.source->id);
  std::error_code error;
  for (std::size_t i = 0; i < looked_.size(); ++i)
    if (const ListedFile* const page = listed(i); page && (!whole || !looked_[i] || is_behind(i)))
      std::filesystem::remove(folder_.download_of(page->url), error);
  if (!whole || faulty_ > 0)
    for (const std::string& url : set_.source->find.urls)
      std::filesystem::remove(folder_.listings() / file_name_of(url), error);
  return whole;
}

}  // namespace geo::offices
