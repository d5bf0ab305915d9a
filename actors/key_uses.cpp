#include "actors/key_uses.hpp"

#include "actors/clock.hpp"
#include "actors/sign_in/values.hpp"
#include "persistence/keys.hpp"

namespace actors {
namespace {

std::int32_t day_of(std::int64_t ms) { return static_cast<std::int32_t>(ms / kDay_ms); }

}  // namespace

persistence::Stored<AccountUses> KeyUses::of(std::uint64_t account) const {
  AccountUses uses;
  const std::string prefix = persistence::number_key(account);
  const auto scanned =
      store_.scan(persistence::Table::key_uses, prefix, persistence::Store::Order::ascending, {},
                  [&](std::string_view key, std::string_view value) {
                    // A damaged count starts at nothing.
                    auto use = persistence::decode_key_use(std::string(value));
                    uses.emplace(key.substr(prefix.size()),
                                 std::make_shared<persistence::KeyUse>(use.value_or(persistence::KeyUse{})));
                    return true;
                  });
  if (!scanned) return tl::make_unexpected(scanned.error());
  for (auto it = unsaved_.lower_bound(prefix); it != unsaved_.end() && it->first.starts_with(prefix); ++it)
    uses[it->first.substr(prefix.size())] = it->second;
  return uses;
}

void KeyUses::count(std::uint64_t account, AccountUses& uses, const std::string& fingerprint,
                    std::int64_t now_ms) {
  auto& use = uses[fingerprint];
  if (!use) use = std::make_shared<persistence::KeyUse>();
  const std::int32_t today = day_of(now_ms);
  std::erase_if(use->days, [today](const auto& day) { return day.day <= today - kUsageDays; });
  if (use->days.empty() || use->days.back().day != today) use->days.push_back({today, 0});
  ++use->days.back().requests;
  use->last_ms = now_ms;
  unsaved_.emplace(persistence::number_key(account) + fingerprint, use);
}

KeyUses::Saving KeyUses::take_unsaved(persistence::Writes& writes) {
  Saving saving;
  for (const auto& [key, use] : unsaved_) {
    writes.push_back({persistence::Table::key_uses, key, encode(*use)});
    saving.emplace_back(key, use);
  }
  unsaved_.clear();
  return saving;
}

void KeyUses::settle(const Saving& saving, bool on_disk) {
  if (!on_disk) unsaved_.insert(saving.begin(), saving.end());
}

std::uint32_t requests_on(const persistence::KeyUse& use, int ago, std::int64_t now_ms) {
  for (const auto& day : use.days)
    if (day.day == day_of(now_ms) - ago) return day.requests;
  return 0;
}

}  // namespace actors
