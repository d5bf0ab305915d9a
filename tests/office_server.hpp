// A surveying office's data server on loopback, with the habits that real ones have (shared/open-data.md,
// A.5). It serves from memory, never answers HEAD, and counts what it is asked for.
//
//   test::OfficeServer office;
//   office.put("/dom1/tile.tif", {.body = bytes, .habits = {.busy_times = 2, .retry_after = "1"}});
//   ... fetch office.url("/dom1/tile.tif") ...
//   office.counts("/dom1/tile.tif").requests
#pragma once
#include <chrono>
#include <cstdint>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/loopback_server.hpp"

namespace test {

struct OfficeHabits {
  bool ignores_range = false;  ///< 200 and all of it
  bool says_html = false;      ///< 200 and a page that something is wrong
  bool tells_no_length = false;
  bool tells_no_validator = false;  ///< neither ETag nor Last-Modified
  bool ignores_if_range = false;    ///< 206 also of a file that has changed
  int busy_times = 0;               ///< so many requests are turned away first
  int busy_status = 429;            ///< in this way
  std::string retry_after;          ///< and with this header
  std::string redirects_to;         ///< 302
  int cut_times = 0;                ///< so many answers end early, after `cut_after` bytes
  std::size_t cut_after = 0;
  bool cut_resets = false;     ///< by RST instead of FIN
  std::size_t drop_bytes = 0;  ///< comes in drops
  std::chrono::milliseconds drop_pause{0};
  std::chrono::milliseconds thinks_for{0};
  std::vector<std::pair<std::string, std::string>> headers;  ///< besides
};

struct OfficeFile {
  std::string body;
  std::string content_type = "application/octet-stream";
  std::string etag;           ///< empty: made from the body
  std::string last_modified;  ///< empty: none
  OfficeHabits habits;
};

struct OfficeCounts {
  int requests = 0;  ///< HEAD and those that were turned away included
  int ranged = 0;    ///< with Range
  int heads = 0;
  std::uint64_t bytes = 0;  ///< of bodies, as they were to be sent
  std::vector<std::chrono::steady_clock::time_point> times;
  std::string last_user_agent;
};

class OfficeServer {
 public:
  using Request = LoopbackServer::Request;

  OfficeServer() : server_([this](const Request& request) { return answer(request); }) {}

  std::string url(const std::string& path = "/") const { return server_.url(path); }

  /// Puts something else there, with another ETag, if there is something already.
  void put(const std::string& path, OfficeFile file) {
    if (file.etag.empty())
      file.etag = "\"" + std::to_string(std::hash<std::string>{}(file.body)) + "-" +
                  std::to_string(file.body.size()) + "\"";
    const std::lock_guard lock(mutex_);
    files_[path] = std::move(file);
  }
  void put_file(const std::string& path, const std::string& local, OfficeHabits habits = {}) {
    std::ifstream in(local, std::ios::binary);
    put(path, {.body = {std::istreambuf_iterator<char>(in), {}}, .habits = std::move(habits)});
  }
  void take_away(const std::string& path) {
    const std::lock_guard lock(mutex_);
    files_.erase(path);
  }
  void change_habits(const std::string& path, OfficeHabits habits) {
    const std::lock_guard lock(mutex_);
    files_.at(path).habits = std::move(habits);
  }
  /// Answers in place of the files while it gives an answer.
  void answer_with(std::function<std::optional<LoopbackServer::Answer>(const Request&)> instead) {
    const std::lock_guard lock(mutex_);
    instead_ = std::move(instead);
  }

  OfficeCounts counts(const std::string& path) const {
    const std::lock_guard lock(mutex_);
    const auto known = counts_.find(path);
    return known != counts_.end() ? known->second : OfficeCounts{};
  }
  int connections() const { return server_.connections(); }
  int most_at_once() const { return server_.most_at_once(); }  ///< answers under way
  /// Of all paths together.
  OfficeCounts counts() const { return counts(kAll); }
  void forget_counts() {
    const std::lock_guard lock(mutex_);
    counts_.clear();
  }

 private:
  using Answer = LoopbackServer::Answer;
  static constexpr const char* kAll = "*";

  Answer answer(const Request& request) {
    const std::string target(request.target());
    const std::string path = target.substr(0, target.find('?'));
    for (const std::string& counted : {path, std::string(kAll)}) count(counted, request);
    Answer answer = answer_to(path, target, request);
    const std::lock_guard lock(mutex_);
    for (const std::string& counted : {path, std::string(kAll)})
      counts_[counted].bytes += std::min(answer.body.size(), answer.cut_after.value_or(answer.body.size()));
    return answer;
  }

  void count(const std::string& path, const Request& request) {
    const std::lock_guard lock(mutex_);
    OfficeCounts& counts = counts_[path];
    ++counts.requests;
    counts.ranged += request.count(boost::beast::http::field::range) ? 1 : 0;
    counts.heads += request.method() == boost::beast::http::verb::head ? 1 : 0;
    counts.times.push_back(std::chrono::steady_clock::now());
    counts.last_user_agent = std::string(request[boost::beast::http::field::user_agent]);
  }

  /// A file of the path with its query goes first: some offices serve by "?file=...".
  OfficeFile* file_of(const std::string& path, const std::string& target) {
    for (const std::string& name : {target, path})
      if (const auto known = files_.find(name); known != files_.end()) return &known->second;
    return nullptr;
  }

  Answer answer_to(const std::string& path, const std::string& target, const Request& request) {
    std::unique_lock lock(mutex_);
    if (instead_) {
      const auto instead = instead_;
      lock.unlock();
      if (auto other = instead(request)) return *std::move(other);
      lock.lock();
    }
    if (request.method() != boost::beast::http::verb::get) return {.status = 405};
    OfficeFile* file = file_of(path, target);
    if (!file) return {.status = 404, .body = "not found"};
    OfficeHabits& habits = file->habits;
    Answer answer{.headers = habits.headers,
                  .tells_no_length = habits.tells_no_length,
                  .drop_bytes = habits.drop_bytes,
                  .drop_pause = habits.drop_pause,
                  .thinks_for = habits.thinks_for};
    if (habits.busy_times > 0) {
      --habits.busy_times;
      answer.status = habits.busy_status;
      if (!habits.retry_after.empty()) answer.headers.emplace_back("Retry-After", habits.retry_after);
      return answer;
    }
    if (!habits.redirects_to.empty()) {
      answer.status = 302;
      answer.headers.emplace_back("Location", habits.redirects_to);
      return answer;
    }
    if (habits.says_html) {
      answer.headers.emplace_back("Content-Type", "text/html");
      answer.body = "<!DOCTYPE html>\n<html><body>Ein Fehler ist aufgetreten.</body></html>\n";
      return answer;
    }
    answer.headers.emplace_back("Content-Type", file->content_type);
    if (!habits.tells_no_validator) {
      answer.headers.emplace_back("ETag", file->etag);
      if (!file->last_modified.empty()) answer.headers.emplace_back("Last-Modified", file->last_modified);
    }
    fill(answer, *file, request);
    if (habits.cut_times > 0) {
      --habits.cut_times;
      answer.cut_after = habits.cut_after;
      answer.resets = habits.cut_resets;
    }
    return answer;
  }

  static void fill(Answer& answer, const OfficeFile& file, const Request& request) {
    const std::string range(request[boost::beast::http::field::range]);
    const std::string if_range(request[boost::beast::http::field::if_range]);
    const bool same = if_range.empty() || if_range == file.etag || if_range == file.last_modified ||
                      file.habits.ignores_if_range;
    const auto wanted = file.habits.ignores_range || !same ? std::nullopt : range_of(range);
    if (!wanted) {
      answer.body = file.body;
      return;
    }
    const std::string size = std::to_string(file.body.size());
    if (wanted->first >= file.body.size()) {
      answer.status = 416;
      answer.headers.emplace_back("Content-Range", "bytes */" + size);
      return;
    }
    const std::size_t last = std::min(wanted->second, file.body.size() - 1);
    answer.status = 206;
    answer.headers.emplace_back(
        "Content-Range", "bytes " + std::to_string(wanted->first) + "-" + std::to_string(last) + "/" + size);
    answer.body = file.body.substr(wanted->first, last - wanted->first + 1);
  }

  /// First and last; "bytes=5-" has no last.
  static std::optional<std::pair<std::size_t, std::size_t>> range_of(const std::string& text) {
    constexpr std::size_t kUnit = 6;  // "bytes="
    const std::size_t dash = text.find('-');
    if (!text.starts_with("bytes=") || dash == std::string::npos || dash == kUnit) return {};
    const std::size_t first = std::stoull(text.substr(kUnit, dash - kUnit));
    const std::string last = text.substr(dash + 1);
    return std::pair{first, last.empty() ? SIZE_MAX : static_cast<std::size_t>(std::stoull(last))};
  }

  mutable std::mutex mutex_;
  std::map<std::string, OfficeFile> files_;
  std::map<std::string, OfficeCounts> counts_;
  std::function<std::optional<Answer>(const Request&)> instead_;
  LoopbackServer server_;
};

}  // namespace test
