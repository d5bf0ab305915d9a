// One thread that hashes and checks passwords. Whoever asks bounds how many wait.
#pragma once
#include <caf/typed_event_based_actor.hpp>
#include <functional>
#include <memory>
#include <optional>

#include "actors/measured.hpp"
#include "actors/messages.hpp"
#include "actors/sign_in/password.hpp"
#include "actors/sign_in/rest.hpp"

namespace actors {

/// Spawn it detached.
class PasswordsActor : public Measured<Passwords::base> {
 public:
  /// `before_work` runs once, in the actor's own thread. `rest`: for an actor that hashes alone; of several
  /// each would rest for the others.
  PasswordsActor(caf::actor_config& config, std::shared_ptr<const PasswordHasher> hasher,
                 std::function<void()> before_work, std::optional<Rest> rest = {},
                 MetersPtr meters = private_meters());
  const char* name() const override { return "passwords"; }

 private:
  behavior_type make_behavior() override;
  PasswordVerdict hash(const std::string& password) const;
  PasswordVerdict check(const CheckPassword& order) const;
  template <class Work>
  PasswordVerdict after_rest(Work work) {
    return rest_ ? rest_->then(work) : work();
  }
  /// While passwords wait, their thread keeps the memory of a hash.
  void give_back_memory_if_last();

  std::shared_ptr<const PasswordHasher> hasher_;
  std::function<void()> before_work_;
  std::optional<Rest> rest_;
};

}  // namespace actors
