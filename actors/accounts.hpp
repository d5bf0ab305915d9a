// A shard of the accounts: lets a request in or refuses it, and hands it on to the project's shard, which answers.
#pragma once
#include <caf/typed_event_based_actor.hpp>
#include <vector>

#include "actors/account_book.hpp"
#include "actors/messages.hpp"

namespace actors {

class AccountsActor : public Accounts::base {
 public:
  /// `projects` are all project shards; an account's is shard_of(account, projects.size()).
  AccountsActor(caf::actor_config& config, persistence::Store& store, const ActorOptions& options, Clock clock,
                Journal journal, std::vector<Projects> projects);
  const char* name() const override { return "accounts"; }

 private:
  behavior_type make_behavior() override;
  // Lets go of the others: a delayed message may keep this object alive after it has ended.
  void on_exit() override {
    journal_ = nullptr;
    projects_.clear();
  }
  caf::result<Answer> admit(const Call& call);
  caf::result<AdminReply> add_account(const AddAccount& order);
  caf::result<AdminReply> add_key(const AddKey& order);

  persistence::Store& store_;
  ActorOptions options_;
  AccountBook book_;
  Journal journal_;
  std::vector<Projects> projects_;
};

/// Which of `shards` an account belongs to.
inline std::size_t shard_of(std::uint64_t account, std::size_t shards) { return account % shards; }

}  // namespace actors
