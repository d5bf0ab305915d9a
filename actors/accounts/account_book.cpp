#include "actors/accounts/account_book.hpp"

#include <algorithm>

#include "actors/accounts/key_text.hpp"
#include "actors/clock.hpp"
#include "persistence/keys.hpp"

namespace actors {
namespace {

constexpr std::size_t kEndingShown = 4;  // characters; the first ones are the same for all keys of an account

AccountBook::Admission refused(Code code) {
  AccountBook::Admission admission;
  admission.refusal = Refusal{.code = code};
  return admission;
}

}  // namespace

AccountBook::AccountBook(const persistence::Store& store, const ActorOptions& options, Clock clock,
                         CacheMeter cache)
    : store_(store),
      clock_(std::move(clock)),
      limits_(store, options.limits),
      uses_(store),
      entries_(options.accounts_cached, cache) {}

AccountBook::Admission AccountBook::admit(const SentKey& key, LimitClass limit) {
  if (key.text.empty()) return refused(Code::schluessel_fehlt);
  if (key.account == 0) return refused(Code::schluessel_ungueltig);
  const auto found = entry(key.account);
  if (!found) return refused(Code::interner_fehler);
  const auto valid = *found ? valid_key(**found, key.text) : persistence::Stored<std::string>();
  if (!valid) return refused(Code::interner_fehler);
  if (valid->empty()) return refused(Code::schluessel_ungueltig);
  uses_.note(key.account, (*found)->uses, *valid, clock_());
  return count(**found, limit);
}

AccountBook::Admission AccountBook::admit(std::uint64_t account, std::optional<LimitClass> limit) {
  const auto found = entry(account);
  if (!found) return refused(Code::interner_fehler);
  if (!*found || (limit && over(**found))) return refused(Code::schluessel_ungueltig);
  if (limit) return count(**found, *limit);
  Admission admission;
  admission.ticket = {.account = account, .single_project = (*found)->account.plan == "test"};
  return admission;
}

bool AccountBook::over(const Entry& entry) const {
  return entry.account.expires_ms != 0 && clock_() >= entry.account.expires_ms;
}

persistence::Stored<std::string> AccountBook::valid_key(const Entry& entry, const std::string& key) const {
  std::string fingerprint = fingerprint_of(key);
  if (over(entry) || suspended_.contains(fingerprint)) return std::string();
  bool known = false;
  for (const persistence::Key& k : entry.keys)
    known |= same_fingerprint(k.fingerprint, fingerprint) && k.in_force(clock_());
  for (const std::string& damaged : entry.damaged)
    if (same_fingerprint(damaged, fingerprint))
      return tl::make_unexpected(persistence::StoreFault::unreadable);
  return known ? fingerprint : std::string();
}

AccountBook::Admission AccountBook::count(const Entry& entry, LimitClass limit) {
  SlidingWindow& window = entry.windows->by_class[static_cast<std::size_t>(limit)];
  const std::int64_t now = clock_();
  Admission admission;
  if (!window.admit(now))
    admission.refusal =
        Refusal{.code = Code::ratengrenze, .retry_after_s = static_cast<int>(window.retry_after_s(now))};
  else if (window.limit() > 0)
    limits_.changed(entry.account.id, entry.windows, limit);
  admission.ticket = {entry.account.id,      entry.account.plan == "test", window.limit(),
                      window.remaining(now), window.reset_s(now),          {}};
  return admission;
}

persistence::Stored<bool> AccountBook::exists(std::uint64_t account) {
  return entry(account).map([](const Entry* known) { return known != nullptr; });
}

persistence::Key AccountBook::new_key(const std::string& key_text, const AddKey& order) const {
  return {order.account, order.name, fingerprint_of(key_text),
          clock_(),      0,          key_text.substr(key_text.size() - kEndingShown)};
}

void AccountBook::learn(const persistence::Key& key) {
  if (Entry* known = entries_.find(key.account)) known->keys.push_back(key);
}

persistence::Stored<std::optional<persistence::Key>> AccountBook::key_of(std::uint64_t account,
                                                                         const std::string& id) {
  const auto known = entry(account);
  if (!known) return tl::make_unexpected(known.error());
  if (!*known) return std::optional<persistence::Key>{};
  for (const persistence::Key& key : (*known)->keys)
    if (key_id(key.fingerprint) == id) return std::optional(key);
  for (const std::string& fingerprint : (*known)->damaged)
    if (key_id(fingerprint) == id)
      return std::optional(persistence::Key{.account = account, .fingerprint = fingerprint});
  return std::optional<persistence::Key>{};
}

/// The account is read from the store again when it is next needed. Its counts survive in limits_.
void AccountBook::settle(std::uint64_t account, const std::string& fingerprint) {
  suspended_.extract(fingerprint);
  entries_.erase(account);
}

persistence::Stored<AccountBook::Entry*> AccountBook::entry(std::uint64_t account) {
  if (Entry* known = entries_.find(account)) return known;
  auto loaded = load(account);
  if (!loaded) return tl::make_unexpected(loaded.error());
  return *loaded ? &entries_.put(account, std::move(**loaded)) : nullptr;
}

persistence::Stored<std::optional<AccountBook::Entry>> AccountBook::load(std::uint64_t account) const {
  using persistence::Table;
  const std::string id = persistence::number_key(account);
  const auto bytes = store_.get(Table::accounts, id);
  if (!bytes) return tl::make_unexpected(bytes.error());
  if (!*bytes) return std::optional<Entry>{};
  auto record = persistence::decode_account(**bytes);
  if (!record) return tl::make_unexpected(persistence::StoreFault::unreadable);
  if (record->closed_ms != 0) return std::optional<Entry>{};
  auto uses = uses_.of(account);
  if (!uses) return tl::make_unexpected(uses.error());
  auto windows = limits_.windows_of(account);
  if (!windows) return tl::make_unexpected(windows.error());
  Entry entry{std::move(*record), {}, {}, std::move(*windows), std::move(*uses)};
  const auto scanned = store_.scan(Table::keys, id, persistence::Store::Order::ascending, {},
                                   [&](std::string_view where, std::string_view value) {
                                     if (auto key = persistence::decode_key(std::string(value)))
                                       entry.keys.push_back(std::move(*key));
                                     else
                                       entry.damaged.emplace_back(where.substr(id.size()));
                                     return true;
                                   });
  if (!scanned) return tl::make_unexpected(scanned.error());
  return std::optional<Entry>(std::move(entry));
}

KeyList AccountBook::keys(std::uint64_t account) {
  const auto found = entry(account);
  if (!found) return {.readable = false};
  KeyList list;
  if (!*found) return list;
  const auto& [record, keys, damaged, windows, uses] = **found;
  for (const persistence::Key& key : keys) {
    KeyLine line{.id = key_id(key.fingerprint),
                 .name = key.name,
                 .ending = key.ending,
                 .created_ms = key.created_ms,
                 .revoked_ms = key.revoked_ms,
                 .in_force = key.in_force(clock_())};
    if (const auto use = uses.find(key.fingerprint); use != uses.end()) {
      line.last_used_ms = use->second->record.last_ms;
      for (int ago = 0; ago < kUsageDays; ++ago)
        line.requests += requests_on(use->second->record, ago, clock_());
    }
    list.keys.push_back(std::move(line));
  }
  std::sort(list.keys.begin(), list.keys.end(),
            [](const KeyLine& a, const KeyLine& b) { return a.created_ms > b.created_ms; });
  return list;
}

Usage AccountBook::usage(std::uint64_t account) {
  const auto found = entry(account);
  if (!found) return {.readable = false};
  Usage usage{.requests = std::vector<std::uint32_t>(kUsageDays)};
  if (!*found) return usage;
  const std::int64_t now = clock_();
  for (SlidingWindow& window : (*found)->windows->by_class)
    usage.limits.push_back({window.limit(), window.remaining(now), window.reset_s(now)});
  for (const auto& [fingerprint, use] : (*found)->uses)
    for (int ago = 0; ago < kUsageDays; ++ago)
      usage.requests[static_cast<std::size_t>(kUsageDays - 1 - ago)] += requests_on(use->record, ago, now);
  return usage;
}

}  // namespace actors
