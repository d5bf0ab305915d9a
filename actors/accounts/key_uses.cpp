#include "actors/accounts/key_uses.hpp"

#include <utility>

#include "actors/clock.hpp"
#include "actors/sign_in/values.hpp"
#include "persistence/keys.hpp"

namespace actors {
namespace {

constexpr std::int64_t kSaveUsesAfter_ms = 30'000;

std::int32_t day_of(std::int64_t ms) { return static_cast<std::int32_t>(ms / kDay_ms); }

}  // namespace

persistence::Stored<AccountUses> KeyUses::of(std::uint64_t account) const {
  AccountUses uses;
  const std::string prefix = persistence::number_key(account);
  const auto scanned = store_.scan(
      persistence::Table::key_uses, prefix, persistence::Store::Order::ascending, {},
      [&](std::string_view key, std::string_view value) {
        // A damaged count starts at nothing.
        auto use = persistence::decode_key_use(std::string(value));
        uses.emplace(key.substr(prefix.size()),
                     std::make_shared<CountedUse>(CountedUse{use.value_or(persistence::KeyUse{})}));
        return true;
      });
  if (!scanned) return tl::make_unexpected(scanned.error());
  for (auto it = unsaved_.lower_bound(prefix); it != unsaved_.end() && it->first.starts_with(prefix); ++it)
    uses[it->first.substr(prefix.size())] = it->second;
  return uses;
}

void KeyUses::note(std::uint64_t account, AccountUses& uses, const std::string& fingerprint,
                   std::int64_t now_ms) {
  auto& use = uses[fingerprint];
  if (!use) use = std::make_shared<CountedUse>();
  auto& days = use->record.days;
  if (const std::int32_t today = day_of(now_ms); days.empty() || days.back().day != today) {
    std::erase_if(days, [today](const auto& day) { return day.day <= today - kUsageDays; });
    days.push_back({today, 0});
  }
  ++days.back().requests;
  use->record.last_ms = now_ms;
  if (std::exchange(use->changed, true)) return;
  if (!waits_since_ms_) waits_since_ms_ = now_ms;
  unsaved_.emplace(persistence::number_key(account) + fingerprint, use);
}

bool KeyUses::due(std::int64_t now_ms) const {
  return waits_since_ms_ && now_ms - *waits_since_ms_ >= kSaveUsesAfter_ms;
}

KeyUses::Saving KeyUses::take_unsaved(persistence::Writes& writes) {
  waits_since_ms_.reset();
  Saving saving;
  for (const auto& [key, use] : unsaved_) {
    if (!std::exchange(use->changed, false)) continue;
    writes.push_back({persistence::Table::key_uses, key, encode(use->record)});
    ++use->being_saved;
    saving.push_back(key);
  }
  return saving;
}

void KeyUses::settle(const Saving& saving, bool on_disk) {
  for (const std::string& key : saving) {
    const auto it = unsaved_.find(key);
    CountedUse& use = *it->second;
    --use.being_saved;
    use.changed |= !on_disk;
    if (use.changed && !waits_since_ms_) waits_since_ms_ = 0;
    if (!use.changed && use.being_saved == 0) unsaved_.erase(it);
  }
}

std::uint32_t requests_on(const persistence::KeyUse& use, int ago, std::int64_t now_ms) {
  for (const auto& day : use.days)
    if (day.day == day_of(now_ms) - ago) return day.requests;
  return 0;
}

}  // namespace actors
