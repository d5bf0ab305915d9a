#include "actors/pair/etcd.hpp"

#include <curl/curl.h>
#include <openssl/evp.h>
#include <simdjson.h>

#include <charconv>

namespace actors {
namespace {

constexpr std::size_t kReplyMax = 1U << 20U;
constexpr long kOk = 200;

std::size_t take_reply(const char* bytes, std::size_t size, std::size_t count, void* target) {
  auto& body = *static_cast<std::string*>(target);
  if (body.size() + size * count > kReplyMax) return 0;
  body.append(bytes, size * count);
  return size * count;
}

std::string base64_of(const std::string& text) {
  std::string out((text.size() + 2) / 3 * 4 + 1, '\0');
  const int size =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                      reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
  out.resize(static_cast<std::size_t>(size));
  return out;
}

std::string text_of_base64(std::string_view text) {
  std::string out(text.size() / 4 * 3 + 3, '\0');
  const int size =
      EVP_DecodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                      reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  out.resize(size < 0 ? 0 : static_cast<std::size_t>(size) - padding);
  return out;
}

std::string quoted(const std::string& name, const std::string& value) {
  return '"' + name + "\":\"" + value + '"';
}
std::string quoted(const std::string& name, std::int64_t value) {
  return quoted(name, std::to_string(value));
}

/// A number, which the gateway writes as a string; 0 when there is none.
std::int64_t number_in(const simdjson::dom::element& object, const char* name) {
  std::string_view text;
  if (object[name].get(text) != simdjson::SUCCESS) return 0;
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string text_in(const simdjson::dom::element& object, const char* name) {
  std::string_view text;
  return object[name].get(text) == simdjson::SUCCESS ? text_of_base64(text) : std::string();
}

}  // namespace

std::string text_of(const ClusterRecord& record) {
  std::string names;
  for (const std::string& name : record.in_sync) names += (names.empty() ? "\"" : ",\"") + name + '"';
  return "{\"epoch\":" + std::to_string(record.epoch) + ',' + quoted("primary", record.primary) +
         ",\"in_sync\":[" + names + "]}";
}

std::optional<ClusterRecord> record_of(const std::string& text) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  ClusterRecord record;
  std::string_view primary;
  simdjson::dom::array names;
  if (parser.parse(text).get(root) != simdjson::SUCCESS ||
      root["epoch"].get(record.epoch) != simdjson::SUCCESS ||
      root["primary"].get(primary) != simdjson::SUCCESS || root["in_sync"].get(names) != simdjson::SUCCESS)
    return {};
  record.primary = primary;
  for (const auto name : names) {
    std::string_view member;
    if (name.get(member) != simdjson::SUCCESS) return {};
    record.in_sync.emplace_back(member);
  }
  return record;
}

struct Etcd::Reply {
  bool answered = false;
  std::string body;
};

Etcd::Etcd(EtcdOptions options)
    : options_(std::move(options)),
      record_key_(base64_of("/roofd/" + options_.group + "/record")),
      lease_key_(base64_of("/roofd/" + options_.group + "/primary")),
      curl_(curl_easy_init()) {}

Etcd::~Etcd() { curl_easy_cleanup(curl_); }

/// Only when nobody was reached is the same question put to the next member: otherwise it may have happened.
Etcd::Reply Etcd::ask(const std::string& path, const std::string& body) {
  for (std::size_t tried = 0; tried < options_.urls.size(); ++tried) {
    const std::string url = options_.urls[member_ % options_.urls.size()] + path;
    Reply reply;
    curl_easy_reset(curl_);
    curl_easy_setopt(curl_, CURLOPT_URL, url.c_str());
    curl_easy_setopt(curl_, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl_, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl_, CURLOPT_PROXY, "");
    curl_easy_setopt(curl_, CURLOPT_CONNECTTIMEOUT_MS, options_.timeout_ms / 2);
    curl_easy_setopt(curl_, CURLOPT_TIMEOUT_MS, options_.timeout_ms);
    curl_easy_setopt(curl_, CURLOPT_POSTFIELDSIZE, static_cast<long>(body.size()));
    curl_easy_setopt(curl_, CURLOPT_POSTFIELDS, body.c_str());
    curl_easy_setopt(curl_, CURLOPT_WRITEFUNCTION, take_reply);
    curl_easy_setopt(curl_, CURLOPT_WRITEDATA, &reply.body);
    if (!options_.ca.empty() && url.starts_with("https")) {
      curl_easy_setopt(curl_, CURLOPT_CAINFO, options_.ca.c_str());
      curl_easy_setopt(curl_, CURLOPT_SSLCERT, options_.certificate.c_str());
      curl_easy_setopt(curl_, CURLOPT_SSLKEY, options_.key.c_str());
    }
    const CURLcode fault = curl_easy_perform(curl_);
    long status = 0;
    curl_easy_getinfo(curl_, CURLINFO_RESPONSE_CODE, &status);
    reply.answered = fault == CURLE_OK && status == kOk;
    fault_ = reply.answered ? std::string()
             : fault != CURLE_OK
                 ? options_.urls[member_ % options_.urls.size()] + ": " + curl_easy_strerror(fault)
                 : options_.urls[member_ % options_.urls.size()] + ": status " + std::to_string(status);
    if (reply.answered) return reply;
    ++member_;
    if (fault != CURLE_COULDNT_CONNECT) break;
  }
  return {};
}

/// One linearizable read of both keys, as of one revision.
std::optional<ClusterView> Etcd::view() {
  const std::string from = "/roofd/" + options_.group + "/", to = "/roofd/" + options_.group + "0";
  const Reply reply = ask(
      "/v3/kv/range", '{' + quoted("key", base64_of(from)) + ',' + quoted("range_end", base64_of(to)) + '}');
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (!reply.answered || parser.parse(reply.body).get(root) != simdjson::SUCCESS) return {};
  ClusterView view;
  simdjson::dom::array found;
  if (root["kvs"].get(found) != simdjson::SUCCESS) return view;
  for (const auto entry : found) {
    std::string_view name;
    if (entry["key"].get(name) != simdjson::SUCCESS) return {};
    if (name == lease_key_) view.lease = number_in(entry, "lease");
    if (name != record_key_) continue;
    view.record = record_of(text_in(entry, "value"));
    view.revision = number_in(entry, "mod_revision");
    if (!view.record) {
      fault_ = "/roofd/" + options_.group + "/record is not what roofd writes";
      return {};
    }
  }
  return view;
}

leadership::Event Etcd::read() {
  if (const auto found = view()) return leadership::Seen{*found};
  return leadership::NotSeen{};
}

/// The new lease's number; 0 when there is none.
std::int64_t Etcd::grant() {
  const Reply reply = ask("/v3/lease/grant", '{' + quoted("TTL", options_.lease_ms / 1000) + '}');
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (!reply.answered || parser.parse(reply.body).get(root) != simdjson::SUCCESS) return 0;
  return number_in(root, "ID");
}

std::string Etcd::put_both(const ClusterRecord& record, std::int64_t revision, std::int64_t lease,
                           bool forced) const {
  const std::string nobody_leads =
      ",{" + quoted("key", lease_key_) + R"(,"target":"VERSION","result":"EQUAL","version":"0"})";
  return "{\"compare\":[{" + quoted("key", record_key_) + R"(,"target":"MOD","result":"EQUAL",)" +
         quoted("mod_revision", revision) + '}' + (forced ? "" : nobody_leads) +
         "],\"success\":[{\"requestPut\":{" + quoted("key", record_key_) + ',' +
         quoted("value", base64_of(text_of(record))) + "}},{\"requestPut\":{" + quoted("key", lease_key_) +
         ',' + quoted("value", base64_of(record.primary)) + ',' + quoted("lease", lease) + "}}]}";
}

namespace {

struct Changed {
  leadership::Outcome outcome = leadership::Outcome::unknown;
  std::int64_t revision = 0;
};

Changed changed_of(bool answered, const std::string& body) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (!answered || parser.parse(body).get(root) != simdjson::SUCCESS) return {};
  simdjson::dom::element header;
  if (root["header"].get(header) != simdjson::SUCCESS) return {};  // this is not etcd
  bool succeeded = false;                                          // it leaves out what is false
  if (root["succeeded"].get(succeeded) != simdjson::SUCCESS || !succeeded)
    return {leadership::Outcome::refused, 0};
  return {leadership::Outcome::done, number_in(header, "revision")};
}

}  // namespace

leadership::Event Etcd::take(const leadership::Take& take, Instant now) {
  const std::int64_t lease = grant();
  if (lease == 0) return leadership::Taken{leadership::Outcome::refused, now, 0, 0};  // nothing was asked for
  const Reply reply = ask("/v3/kv/txn", put_both(take.record, take.revision, lease, take.forced));
  const Changed changed = changed_of(reply.answered, reply.body);
  return leadership::Taken{changed.outcome, now, lease, changed.revision};
}

leadership::Event Etcd::regain(const leadership::Regain& regain, Instant now) {
  const std::int64_t lease = grant();
  if (lease == 0) return leadership::Regained{leadership::Outcome::refused, now, 0, 0};
  const Reply reply = ask("/v3/kv/txn", put_both(regain.record, regain.revision, lease, false));
  const Changed changed = changed_of(reply.answered, reply.body);
  return leadership::Regained{changed.outcome, now, lease, changed.revision};
}

leadership::Event Etcd::renew(const leadership::Renew& renew, Instant now) {
  const leadership::Renewed unknown{leadership::Outcome::unknown, now, {}};
  const Reply reply = ask("/v3/lease/keepalive", '{' + quoted("ID", renew.lease) + '}');
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (!reply.answered || parser.parse(reply.body).get(root) != simdjson::SUCCESS) return unknown;
  simdjson::dom::element result;
  if (root["result"].get(result) != simdjson::SUCCESS) return unknown;
  const bool lives = number_in(result, "TTL") > 0;
  const auto found = view();
  if (!found) return unknown;
  return leadership::Renewed{lives ? leadership::Outcome::done : leadership::Outcome::refused, now, *found};
}

leadership::Event Etcd::set_in_sync(const leadership::SetInSync& set) {
  const Reply reply =
      ask("/v3/kv/txn", "{\"compare\":[{" + quoted("key", record_key_) +
                            R"(,"target":"MOD","result":"EQUAL",)" + quoted("mod_revision", set.revision) +
                            "}],\"success\":[{\"requestPut\":{" + quoted("key", record_key_) + ',' +
                            quoted("value", base64_of(text_of(set.record))) + "}}]}");
  const Changed changed = changed_of(reply.answered, reply.body);
  return leadership::InSyncSet{changed.outcome, changed.revision};
}

void Etcd::revoke(std::int64_t lease) { ask("/v3/lease/revoke", '{' + quoted("ID", lease) + '}'); }

}  // namespace actors
