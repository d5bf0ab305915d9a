#include "geo/offices/office_network.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

#include "geo/fetch/url.hpp"

namespace geo::offices {
namespace {

/// The servers that a source names, as far as its recipe tells.
std::vector<std::string> servers_of(const Source& source) {
  std::vector<std::string> urls = source.find.urls;
  const std::string made = source.find.url ? source.find.url->text() : source.find.page_url;
  if (!made.empty()) urls.push_back(made.substr(0, made.find('{')));
  urls.insert(urls.end(), source.mirrors.begin(), source.mirrors.end());
  std::vector<std::string> hosts;
  for (const std::string& text : urls)
    if (const auto url = parse_url(text)) hosts.push_back(url->host);
  return hosts;
}

/// Whether a listed size must be the file's to the byte. Metalinks' must; pages and feeds only say how much
/// to expect.
bool tells_exact_sizes(const Source& source) { return source.find.method == FindMethod::metalink; }

tl::unexpected<Failure> passed_on(const FetchFailure& failure) { return fail(failure.kind, failure.text); }

}  // namespace

NetworkOptions network_options(const std::vector<Recipe>& recipes, const std::string& contact,
                               const std::string& ca_file) {
  NetworkOptions options;
  options.contact = contact;
  for (const Recipe& recipe : recipes)
    for (const Source& source : recipe.sources)
      for (const std::string& host : servers_of(source)) {
        HostRules& rules = options.hosts.try_emplace(host, options.rules).first->second;
        rules.connections = std::min(rules.connections, source.connections);
        if (!source.referer.empty()) rules.headers = {"Referer: " + source.referer};
        if (source.quirks.own_ca && !ca_file.empty()) rules.ca_file = ca_file;
      }
  return options;
}

Asking asking_by(Fetcher& fetcher, const RunControl& control) {
  Asking asking;
  const auto ask = [&](const TextRequest& request) -> Result<std::string> {
    auto answer = fetcher.text(request, control);
    if (!answer) return passed_on(answer.error());
    return std::move(answer->text);
  };
  asking.text = [ask](const std::string& url) { return ask({.url = url}); };
  asking.folder = [ask](const std::string& url) { return ask({.url = url, .lists_folder = true}); };
  asking.bytes = [&](const std::string& url, std::uint64_t first,
                     std::uint64_t count) -> Result<std::string> {
    auto answer = fetcher.bytes(url, {first, count}, control);
    if (!answer) return passed_on(answer.error());
    return std::move(*answer);
  };
  asking.size = [&](const std::string& url) -> Result<std::uint64_t> {
    const auto answer = fetcher.probe(url, control);
    if (!answer) return passed_on(answer.error());
    if (!answer->bytes || !answer->serves_ranges)
      return fail(FailureKind::data_unreachable,
                  shown_url(url) + ": its server sends no parts of files, and only parts are wanted");
    return *answer->bytes;
  };
  return asking;
}

Content content_of(const Source& source) {
  if (source.zipped) return Content::zip;
  switch (source.form) {
    case FileForm::geotiff:
      return Content::tiff;
    case FileForm::xyz:
      return Content::numbers;
    case FileForm::jpeg2000:
      return Content::jpeg2000;
    case FileForm::vector:
    case FileForm::table:
      break;
  }
  return Content::any;
}

FileRequest request_of(const Source& source, const ListedFile& listed, const DataFolder& folder) {
  FileRequest request;
  request.url = listed.url;
  request.target = folder.download_of(listed.url);
  request.content = content_of(source);
  if (tells_exact_sizes(source) && listed.bytes > 0) request.size = listed.bytes;
  request.sha256 = listed.sha256;
  return request;
}

void each_at_once(const Source& source, const std::vector<std::size_t>& files, const RunControl& control,
                  const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  const auto work_on = [&] {
    for (std::size_t n = next++; n < files.size() && !control.cancelled(); n = next++) work(files[n]);
  };
  std::vector<std::thread> threads;
  const std::size_t many = std::min(files.size(), static_cast<std::size_t>(source.connections));
  while (threads.size() < many) threads.emplace_back(work_on);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace geo::offices
