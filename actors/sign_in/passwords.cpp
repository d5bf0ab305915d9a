#include "actors/sign_in/passwords.hpp"

namespace actors {

PasswordsActor::PasswordsActor(caf::actor_config& config, std::shared_ptr<const PasswordHasher> hasher,
                               std::function<void()> before_work, std::optional<Rest> rest, MetersPtr meters)
    : Measured(config, "passwords", std::move(meters)),
      hasher_(std::move(hasher)),
      before_work_(std::move(before_work)),
      rest_(std::move(rest)) {}

PasswordsActor::behavior_type PasswordsActor::make_behavior() {
  if (before_work_) before_work_();
  return {[this](HashPassword& order) {
            PasswordVerdict verdict = after_rest([&] { return hash(order.password); });
            wipe(order.password);
            give_back_memory_if_last();
            return verdict;
          },
          [this](CheckPassword& order) {
            PasswordVerdict verdict = after_rest([&] { return check(order); });
            wipe(order.password);
            give_back_memory_if_last();
            return verdict;
          }};
}

void PasswordsActor::give_back_memory_if_last() {
  if (mailbox().empty()) give_back_hash_memory();
}

PasswordVerdict PasswordsActor::hash(const std::string& password) const {
  return {.matches = false, .hash = hasher_->hash(password).value_or("")};
}

PasswordVerdict PasswordsActor::check(const CheckPassword& order) const {
  if (order.hash.empty()) {
    hasher_->matches_nobody(order.password);
    return {};
  }
  if (!hasher_->matches(order.password, order.hash)) return {};
  if (!hasher_->needs_new_hash(order.hash)) return {.matches = true, .hash = {}};
  return {.matches = true, .hash = hasher_->hash(order.password).value_or("")};
}

}  // namespace actors
