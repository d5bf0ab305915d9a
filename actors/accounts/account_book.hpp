// A shard's accounts: their keys, plans and limits. Plain state without CAF; accounts.cpp puts it behind
// messages.
#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "actors/accounts/account_limits.hpp"
#include "actors/accounts/key_uses.hpp"
#include "actors/clock.hpp"
#include "actors/meters.hpp"
#include "actors/options.hpp"
#include "actors/recent_cache.hpp"
#include "actors/sign_in/values.hpp"
#include "actors/values.hpp"
#include "persistence/records.hpp"
#include "persistence/store.hpp"

namespace actors {

class AccountBook {
 public:
  AccountBook(const persistence::Store& store, const ActorOptions& options, Clock clock,
              CacheMeter cache = {});

  /// Checks the key and counts the request. Refusals: schluessel_fehlt, schluessel_ungueltig, ratengrenze
  /// (which is not counted), interner_fehler when the store cannot be read.
  struct Admission {
    Ticket ticket;
    std::optional<Refusal> refusal;
  };
  Admission admit(const SentKey& key, LimitClass limit);
  /// The same for somebody who is signed in. Without `limit` nothing is counted. The owner of a test account
  /// that is over may look: what is counted is refused with schluessel_ungueltig.
  Admission admit(std::uint64_t account, std::optional<LimitClass> limit);

  /// Records for the journal. The book knows nothing of them until learn() is called.
  std::int64_t now_ms() const { return clock_(); }
  persistence::Stored<bool> exists(std::uint64_t account);
  persistence::Key new_key(const std::string& key_text, const AddKey& order) const;
  /// A key has been stored.
  void learn(const persistence::Key& key);
  /// The account's key with this id (key_id() in key_text.hpp) as it stands; nothing when there is none. A
  /// key whose record is damaged comes without a name.
  persistence::Stored<std::optional<persistence::Key>> key_of(std::uint64_t account, const std::string& id);
  /// A key is being revoked: nobody is let in with it until settle() is called, which tells that the disk has
  /// taken or refused the revocation. After that the stored record decides.
  void suspend(const std::string& fingerprint) { suspended_.insert(fingerprint); }
  bool suspended(const std::string& fingerprint) const { return suspended_.contains(fingerprint); }
  void settle(std::uint64_t account, const std::string& fingerprint);

  /// For the account's owner: its keys, and how its limits stand.
  KeyList keys(std::uint64_t account);
  Usage usage(std::uint64_t account);
  /// The account's record or keys have changed on disk: they are read anew. Its counts survive in limits().
  void forget(std::uint64_t account) { entries_.erase(account); }

  KeyUses& uses() { return uses_; }
  bool uses_due() const { return uses_.due(clock_()); }
  /// The windows with the counts, and their way to the disk.
  AccountLimits& limits() { return limits_; }

 private:
  struct Entry {
    persistence::Account account;
    std::vector<persistence::Key> keys;
    std::vector<std::string> damaged;  // fingerprints of keys whose record cannot be read
    AccountWindowsPtr windows;
    AccountUses uses;
  };
  persistence::Stored<Entry*> entry(std::uint64_t account);  // null: no such account
  persistence::Stored<std::optional<Entry>> load(std::uint64_t account) const;
  /// Its fingerprint; empty when it is none in force.
  persistence::Stored<std::string> valid_key(const Entry& entry, const std::string& key) const;
  bool over(const Entry& entry) const;
  Admission count(const Entry& entry, LimitClass limit);

  const persistence::Store& store_;
  Clock clock_;
  AccountLimits limits_;
  KeyUses uses_;
  RecentCache<std::uint64_t, Entry> entries_;
  std::multiset<std::string> suspended_;  // fingerprints, one for each order
};

}  // namespace actors
