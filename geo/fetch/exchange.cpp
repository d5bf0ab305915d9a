#include "geo/fetch/exchange.hpp"

#include <arpa/inet.h>
#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>

namespace geo {
namespace {

constexpr long kRedirections = 8;
constexpr std::size_t kHeadBytes = 64 << 10, kErrorBytes = 64 << 10;
constexpr long kBuffer = 512 << 10;
constexpr int kLookAround_ms = 100;  // for a cancellation

struct HeaderListCloser {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using HeaderList = std::unique_ptr<curl_slist, HeaderListCloser>;

std::string header_of(CURL* easy, const char* name) {
  curl_header* header = nullptr;
  if (curl_easy_header(easy, name, 0, CURLH_HEADER, -1, &header) != CURLHE_OK) return {};
  return header->value;
}

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return number;
}

/// RFC 9110, 14.4: "bytes 0-99/1234", "bytes 0-99/*", "bytes */1234".
void read_content_range(std::string_view text, HttpAnswer& answer) {
  constexpr std::string_view kUnit = "bytes ";
  if (!text.starts_with(kUnit)) return;
  text.remove_prefix(kUnit.size());
  const std::size_t slash = text.find('/'), dash = text.find('-');
  if (slash == std::string_view::npos) return;
  answer.whole = number_in(text.substr(slash + 1));
  if (dash == std::string_view::npos || dash > slash) return;
  answer.first = number_in(text.substr(0, dash));
  answer.last = number_in(text.substr(dash + 1, slash - dash - 1));
}

/// Loopback, link-local, private and the like: where a public server has no business to send us.
bool is_local_address(const char* text) {
  in_addr four{};
  in6_addr six{};
  if (inet_pton(AF_INET6, text, &six) == 1) {
    if (IN6_IS_ADDR_V4MAPPED(&six)) {
      std::memcpy(&four, six.s6_addr + 12, 4);
    } else {
      return IN6_IS_ADDR_LOOPBACK(&six) || IN6_IS_ADDR_LINKLOCAL(&six) || IN6_IS_ADDR_UNSPECIFIED(&six) ||
             IN6_IS_ADDR_MULTICAST(&six) || (six.s6_addr[0] & 0xfe) == 0xfc;
    }
  } else if (inet_pton(AF_INET, text, &four) != 1) {
    return false;
  }
  const std::uint32_t ip = ntohl(four.s_addr);
  const auto in = [ip](std::uint32_t net, int bits) { return (ip ^ net) >> (32 - bits) == 0; };
  return in(0x7f000000, 8) || in(0x0a000000, 8) || in(0xac100000, 12) || in(0xc0a80000, 16) ||
         in(0xa9fe0000, 16) || in(0x64400000, 10) || in(0, 8) || in(0xe0000000, 3);
}

/// A proxy connects for us, and decides where to.
bool is_behind_proxy() {
  constexpr std::array kNames{"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"};
  return std::any_of(kNames.begin(), kNames.end(), [](const char* name) {
    const char* value = std::getenv(name);
    return value && *value;
  });
}

/// What curl's callbacks work on.
struct UnderWay {
  CURL* easy;
  const HttpAsk& ask;
  const TakeBytes& take;
  std::string trusted_host;  ///< may lie in a local network; others may not
  HttpAnswer answer;
  bool has_answer = false, went_local = false, long_head = false;
  std::size_t head_bytes = 0, error_bytes = 0;
  std::optional<FetchFailure> failure{};

  void read_answer() {
    if (std::exchange(has_answer, true)) return;
    long status = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    answer.status = static_cast<int>(status);
    const char* url = nullptr;
    if (curl_easy_getinfo(easy, CURLINFO_EFFECTIVE_URL, &url) == CURLE_OK && url) answer.url = url;
    answer.content_type = header_of(easy, "Content-Type");
    answer.etag = header_of(easy, "ETag");
    answer.last_modified = header_of(easy, "Last-Modified");
    answer.length = number_in(header_of(easy, "Content-Length"));
    read_content_range(header_of(easy, "Content-Range"), answer);
  }
};

bool is_good(int status) { return status >= 200 && status < 300; }

std::size_t take_body(const char* bytes, std::size_t size, std::size_t count, void* target) {
  auto& under_way = *static_cast<UnderWay*>(target);
  under_way.read_answer();
  if (!is_good(under_way.answer.status)) {
    // What a server says beside an error is not needed, but a short word keeps the connection.
    under_way.error_bytes += size * count;
    return under_way.error_bytes > kErrorBytes ? 0 : size * count;
  }
  under_way.failure = under_way.take(under_way.answer, {bytes, size * count});
  return under_way.failure ? 0 : size * count;
}

std::size_t take_head(const char* line, std::size_t size, std::size_t count, void* target) {
  auto& under_way = *static_cast<UnderWay*>(target);
  const std::size_t bytes = size * count;
  // Of each answer on the way.
  if (std::string_view(line, bytes).starts_with("HTTP/")) under_way.head_bytes = 0;
  under_way.head_bytes += bytes;
  under_way.long_head = under_way.head_bytes > kHeadBytes;
  return under_way.long_head ? 0 : bytes;
}

int allow_address(void* target, char* ip, char*, int, int) {
  auto& under_way = *static_cast<UnderWay*>(target);
  const char* now = nullptr;
  curl_easy_getinfo(under_way.easy, CURLINFO_EFFECTIVE_URL, &now);
  const auto url = parse_url(now ? now : "");
  under_way.went_local = is_local_address(ip) && (!url || url->host != under_way.trusted_host);
  return under_way.went_local ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
}

std::string what_a_status_means(int status) {
  switch (status) {
    case 401:
    case 403:
      return "refuses (" + std::to_string(status) + "): see whether the office has changed its access";
    case 404:
    case 410:
      return "has no such file (" + std::to_string(status) + ")";
    case 416:
      return "has no such part of the file (416)";
    case 429:
      return "asks to come back later (429): try again then";
    case 503:
      return "is overloaded (503): try again later";
    default:
      return "answers " + std::to_string(status) + ": try again later";
  }
}

FetchFailure failure_of_status(CURL* easy, const Url& url, int status) {
  const bool busy = status == 429 || status == 503;
  FetchFailure failure =
      fetch_failure(busy ? FailureKind::data_overloaded : FailureKind::data_unreachable,
                    url.shown + " " + what_a_status_means(status), status,
                    busy || status == 408 || status == 500 || status == 502 || status == 504);
  curl_off_t wait_s = 0;
  if (curl_easy_getinfo(easy, CURLINFO_RETRY_AFTER, &wait_s) == CURLE_OK && wait_s > 0)
    failure.retry_after = std::chrono::seconds(wait_s);
  return failure;
}

FetchFailure failure_of_curl(const Url& url, CURLcode code, const char* words, const UnderWay& under_way) {
  if (under_way.went_local)
    return fetch_failure(FailureKind::data_unreachable,
                         url.shown + " leads into a local network: it is not followed there");
  if (under_way.long_head)
    return fetch_failure(FailureKind::data_unreachable, url.shown + " answers with an endless head");
  switch (code) {
    case CURLE_UNSUPPORTED_PROTOCOL:
      return fetch_failure(FailureKind::data_unreachable,
                           url.shown + " redirects to another protocol than HTTP: it is not followed there");
    case CURLE_TOO_MANY_REDIRECTS:
      return fetch_failure(FailureKind::data_unreachable, url.shown + " redirects in a circle");
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
      return fetch_failure(FailureKind::data_unreachable,
                           url.shown + " shows a certificate that is not trusted (" + words +
                               "): name the issuer's certificate as the host's \"ca\"");
    case CURLE_OUT_OF_MEMORY:
      return fetch_failure(FailureKind::internal, url.shown + ": out of memory");
    default:
      break;
  }
  FetchFailure failure =
      fetch_failure(FailureKind::data_unreachable,
                    url.shown + " cannot be reached (" + words + "): try again later", 0, true);
  curl_off_t connected_us = 0;
  curl_easy_getinfo(under_way.easy, CURLINFO_CONNECT_TIME_T, &connected_us);
  failure.no_connection = connected_us == 0 && !under_way.has_answer;
  return failure;
}

}  // namespace

struct Exchange::Handles {
  CURL* easy = curl_easy_init();
  CURLM* multi = curl_multi_init();
  ~Handles() {
    curl_easy_cleanup(easy);
    curl_multi_cleanup(multi);
  }
};

Exchange::Exchange(const NetworkOptions& options, const HostRules& rules) : options_(options), rules_(rules) {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
  handles_ = std::make_unique<Handles>();
}

Exchange::~Exchange() = default;

namespace {

void set_what_is_asked(CURL* easy, const HttpAsk& ask, const Url& url) {
  curl_easy_setopt(easy, CURLOPT_URL, url.text.c_str());
  if (ask.range) {
    const auto& [first, count] = *ask.range;
    const std::string range =
        std::to_string(first) + "-" + (count ? std::to_string(first + count - 1) : std::string());
    curl_easy_setopt(easy, CURLOPT_RANGE, range.c_str());
  }
  if (ask.lists_folder) curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, "PROPFIND");
  if (ask.compressed) curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
  if (ask.limit.count() > 0) curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(ask.limit.count()));
}

HeaderList headers_for(const HttpAsk& ask, const HostRules& rules) {
  HeaderList list;
  const auto add = [&list](const std::string& line) {
    list.reset(curl_slist_append(list.release(), line.c_str()));
  };
  if (!ask.if_range.empty()) add("If-Range: " + ask.if_range);
  if (ask.lists_folder) add("Depth: 1");
  for (const std::string& line : rules.headers) add(line);
  return list;
}

void set_limits(CURL* easy, const NetworkOptions& options) {
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(easy, CURLOPT_MAXREDIRS, kRedirections);
  // Of Debian 12's curl (7.88), HTTP/2 has the younger faults; one file a connection needs none of it.
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1);
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options.connect_limit.count()));
  curl_easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, static_cast<long>(options.slow_bytes_per_s));
  curl_easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, static_cast<long>(options.slow_limit.count()));
  curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, kBuffer);
  // A cancelled exchange does not wait for the resolver.
  curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
}

std::string user_agent(const NetworkOptions& options) {
  return "roofd" + (options.contact.empty() ? std::string() : " (" + options.contact + ")");
}

/// Drives one exchange to its end; CURLE_ABORTED_BY_CALLBACK when cancelled.
CURLcode driven(CURLM* multi, CURL* easy, const RunControl& control) {
  curl_multi_add_handle(multi, easy);
  CURLcode code = CURLE_OK;
  for (int running = 1; running > 0;) {
    if (control.cancelled()) {
      code = CURLE_ABORTED_BY_CALLBACK;
      break;
    }
    if (curl_multi_perform(multi, &running) != CURLM_OK) {
      code = CURLE_FAILED_INIT;
      break;
    }
    if (running > 0) curl_multi_poll(multi, nullptr, 0, kLookAround_ms, nullptr);
  }
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi, &left))
    if (message->msg == CURLMSG_DONE) code = message->data.result;
  curl_multi_remove_handle(multi, easy);
  return code;
}

}  // namespace

FetchResult<HttpAnswer> Exchange::get(const HttpAsk& ask, const Url& url, const TakeBytes& take,
                                      const RunControl& control) {
  CURL* const easy = handles_->easy;
  if (!easy || !handles_->multi)
    return tl::make_unexpected(fetch_failure(FailureKind::internal, "libcurl cannot start"));
  curl_easy_reset(easy);
  set_limits(easy, options_);
  set_what_is_asked(easy, ask, url);
  const std::string agent = user_agent(options_);
  curl_easy_setopt(easy, CURLOPT_USERAGENT, agent.c_str());
  const HeaderList headers = headers_for(ask, rules_);
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers.get());

  const auto listing = parse_url(ask.named_by);
  UnderWay under_way{easy, ask, take, listing ? listing->host : url.host, {}};
  std::array<char, CURL_ERROR_SIZE> words{};
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, words.data());
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &under_way);
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_head);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, &under_way);
  if (!is_behind_proxy()) {
    curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, allow_address);
    curl_easy_setopt(easy, CURLOPT_PREREQDATA, &under_way);
  }
  // The system's folder is trusted beside it.
  if (!rules_.ca_file.empty()) curl_easy_setopt(easy, CURLOPT_CAINFO, rules_.ca_file.c_str());

  const CURLcode code = driven(handles_->multi, easy, control);
  if (under_way.failure) return tl::make_unexpected(*std::move(under_way.failure));
  if (code == CURLE_OK) under_way.read_answer();
  const int status = under_way.has_answer ? under_way.answer.status : 0;
  if (under_way.has_answer && !is_good(status))
    return tl::make_unexpected(failure_of_status(easy, url, status));
  if (code == CURLE_ABORTED_BY_CALLBACK && !under_way.went_local)
    return tl::make_unexpected(fetch_failure(FailureKind::cancelled, url.shown + ": the fetch was stopped"));
  if (code != CURLE_OK) {
    const char* why = words.front() ? words.data() : curl_easy_strerror(code);
    return tl::make_unexpected(failure_of_curl(url, code, why, under_way));
  }
  return std::move(under_way.answer);
}

}  // namespace geo
