// A shard of the accounts: admits a request or refuses it. An admitted request goes to the project's shard,
// which answers. The windows go to disk once a second, the keys' use every half minute. The windows of a
// request that may store something are sent to the journal before the request goes on, so that nothing stored
// is ever uncounted.
#pragma once
#include <array>
#include <caf/typed_event_based_actor.hpp>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "actors/accounts/account_book.hpp"
#include "actors/measured.hpp"
#include "actors/messages.hpp"
#include "actors/open_requests.hpp"

namespace actors {

class AccountsActor : public Measured<Accounts::base> {
 public:
  /// `projects` are all project shards; an account's is shard_of(account, projects.size()).
  AccountsActor(caf::actor_config& config, persistence::Store& store, const ActorOptions& options,
                Clock clock, Journal journal, std::vector<Projects> projects,
                MetersPtr meters = private_meters());
  const char* name() const override { return "accounts"; }

 private:
  behavior_type make_behavior() override;
  // Releases the other actors: a delayed message may keep this object alive after it has ended.
  void on_exit() override {
    journal_ = nullptr;
    at_journal_.clear();
    projects_.clear();
  }
  caf::result<Answer> admit(Call& call);
  caf::result<Answer> admit(MemberCall& call);
  caf::result<Answer> pass_on(AccountBook::Admission admission, Command command);
  caf::result<AdminReply> add_key(const AddKey& order);
  caf::result<AdminReply> revoke_key(const RevokeKey& order);
  caf::result<AdminReply> replace_key(const ReplaceKey& order);
  void save_windows();                        // the limits' counts alone: nobody may gain calls by a kill
  void save(std::function<void(bool)> then);  // and when each key was used, which may be half a minute old
  void save_soon();                           // within a second: save_what_is_due()
  void save_what_is_due();
  void commit(AccountLimits::Saving windows, KeyUses::Saving uses, std::function<void(bool)> then);

  persistence::Store& store_;
  ActorOptions options_;
  AccountBook book_;
  Journal journal_;
  OpenRequests at_journal_;
  std::vector<Projects> projects_;
  std::multiset<std::uint64_t> making_;  // accounts with a key on its way to the disk, one for each key
  std::array<prometheus::Counter*, kLimitClasses> limits_hit_{};
  bool will_save_ = false;  // a message to look what is due is on its way
};

/// Which of `shards` an account belongs to.
inline std::size_t shard_of(std::uint64_t account, std::size_t shards) { return account % shards; }

}  // namespace actors
