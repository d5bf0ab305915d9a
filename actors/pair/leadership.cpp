#include "actors/pair/leadership.hpp"

#include <algorithm>
#include <limits>

namespace actors {

namespace {

constexpr Instant kForever = std::numeric_limits<Instant>::max();
constexpr int kRenewalsALease = 3;
constexpr int kReadsALease = 6;       // of a standby, while somebody leads
constexpr int kFreeReadsALease = 24;  // while nobody does
constexpr int kYieldsALease = 4;      // the last primary lets the other go first for a quarter of a lease

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

Leadership::Leadership(LeadershipOptions options, Instant now)
    : options_(std::move(options)),
      asked_(now - options_.lease_ms),
      etcd_answered_(now - options_.lease_ms),
      set_(now - options_.lease_ms),
      // The process before this one may have promised something just before it ended.
      promised_until_(now + options_.lease_ms) {}

Leadership::Actions Leadership::on(const leadership::Event& event, Instant now) {
  if (role_ == Role::over) return {};
  return std::visit([&](const auto& happened) { return handle(happened, now); }, event);
}

// ---- what follows from the state --------------------------------------------------------------------------

Instant Leadership::serves_until() const {
  if (role_ != Role::primary) return std::numeric_limits<Instant>::min();
  const std::vector<std::string> others = needed();
  if (others.empty() && options_.available) return kForever;
  Instant until = lease_until_;
  // Only who is in sync may take the lead. When that is the standby alone, its promise is as good as a lease.
  if (others.size() == 1 && others.front() == standby_ && in_sync(standby_))
    until = std::max(until, standby_answered_ + options_.lease_ms - options_.margin_ms);
  return until;
}

std::vector<std::string> Leadership::needed() const {
  std::vector<std::string> others;
  if (role_ != Role::primary) return others;
  const auto add = [&](const std::string& name) {
    if (name != options_.me && !holds(others, name)) others.push_back(name);
  };
  for (const auto* names : {&view_.record->in_sync, &asked_for_, &doubtful_})
    for (const std::string& name : *names) add(name);
  if (caught_up_) add(standby_);
  return others;
}

/// As it should be: whoever is silent goes, whoever has caught up comes.
std::vector<std::string> Leadership::right_in_sync() const {
  std::vector<std::string> names{options_.me};
  if (caught_up_) names.push_back(standby_);
  return names;
}

bool Leadership::may_answer(std::uint64_t epoch) const {
  return role_ == Role::standby && !attempt_ && newest_epoch_ != 0 && epoch >= newest_epoch_;
}

bool Leadership::in_sync(const std::string& name) const {
  return view_.record && holds(view_.record->in_sync, name);
}

std::uint64_t Leadership::known_epoch() const {
  return std::max({newest_epoch_, store_epoch_, promised_epoch_});
}

bool Leadership::is_mine(const ClusterView& view) const {
  return view.record && view.record->epoch == view_.record->epoch && view.record->primary == options_.me;
}

bool Leadership::standby_silent(Instant now) const {
  return now - standby_answered_ > options_.standby_timeout_ms;
}

std::string Leadership::obstacle(Instant now) const {
  if (role_ != Role::standby) return "it leads or has ended";
  if (now - etcd_answered_ > options_.lease_ms) return "etcd does not answer";
  if (!view_.record)
    return "etcd knows no primary: roofd cluster promote --force makes this member the first";
  if (view_.record->epoch < known_epoch())
    return "etcd's record is older than this member's data: roofd cluster promote --force on the newest";
  if (view_.lease != 0) return view_.record->primary + " leads";
  if (!in_sync(options_.me)) return "this member is not in sync";
  if (!whole_) return "this member's copy of the data is not whole";
  const bool led = view_.record->primary == options_.me && view_.record->epoch >= promised_epoch_;
  if (!led && now < promised_until_) return "it has promised its primary to wait";
  const Instant yield = options_.lease_ms / kYieldsALease;
  if (led && view_.record->in_sync.size() > 1 && (!free_since_ || now < *free_since_ + yield))
    return "it lets the other member go first";
  return {};
}

/// Where there is a pair already, a member without data would lead with none, and the other would copy that.
std::string Leadership::force_obstacle(Instant now) const {
  if (now - etcd_answered_ > options_.lease_ms) return "etcd does not answer";
  if (role_ == Role::standby && view_.record && !any_) return "this member has no data yet";
  return {};
}

bool Leadership::forced(Instant now) const { return ordered_ && now - *ordered_ < options_.lease_ms; }

/// A full etcd is not asked on end.
bool Leadership::writes_anew(Instant now) const {
  return !options_.available && now < serves_until() && now - attempted_ >= options_.lease_ms / kReadsALease;
}

// ---- questions to etcd ------------------------------------------------------------------------------------

Leadership::Actions Leadership::ask(leadership::Action action, Instant now) {
  asking_ = true;
  asked_ = now;
  return {std::move(action)};
}

Leadership::Actions Leadership::take(Instant now) {
  ClusterRecord next{0, options_.me, {options_.me}};
  if (role_ == Role::standby && !forced(now) && view_.record)
    for (const std::string& name : view_.record->in_sync)
      if (name != options_.me) next.in_sync.push_back(name);
  // An etcd that came back empty knows no epoch; the members do, and answer none that is older.
  next.epoch = role_ == Role::primary ? view_.record->epoch : known_epoch() + 1;
  const std::int64_t revision = role_ == Role::primary ? 0 : view_.revision;
  attempt_ = leadership::Take{std::move(next), revision, forced(now)};
  attempted_ = now;
  return ask(*attempt_, now);
}

Leadership::Actions Leadership::lead(std::int64_t lease, Instant asked_at) {
  const bool led = role_ == Role::primary;
  role_ = Role::primary;
  attempt_.reset();
  ordered_.reset();
  asked_for_.clear();
  doubtful_.clear();
  caught_up_ = false;
  lease_ = lease;
  lease_lost_ = record_lost_ = false;
  lease_until_ = asked_at + options_.lease_ms - options_.margin_ms;
  renewed_ = asked_at;
  if (led) return {};
  opened_ = false;
  return {leadership::Lead{view_.record->epoch}};
}

Leadership::Actions Leadership::end(std::string why) {
  role_ = Role::over;
  return {leadership::End{std::move(why)}};
}

void Leadership::saw(const ClusterView& view, Instant now) {
  etcd_answered_ = now;
  view_ = view;
  if (view.record) newest_epoch_ = std::max(newest_epoch_, view.record->epoch);
  if (attempt_ && view.revision != attempt_->revision) attempt_.reset();
  if (view.lease != 0) free_since_.reset();
  if (view.lease == 0 && !free_since_) free_since_ = now;
}

// ---- time -------------------------------------------------------------------------------------------------

Leadership::Actions Leadership::handle(const leadership::Tick&, Instant now) {
  return role_ == Role::primary ? tick_primary(now) : tick_standby(now);
}

Leadership::Actions Leadership::tick_standby(Instant now) {
  if (asking_) return {};
  const int reads = free_since_ ? kFreeReadsALease : kReadsALease;
  if (now - asked_ >= options_.lease_ms / reads) return ask(leadership::Read{}, now);
  return {};
}

Leadership::Actions Leadership::tick_primary(Instant now) {
  if (now >= serves_until()) return end("neither etcd nor an in-sync standby has answered in time");
  if (standby_silent(now)) caught_up_ = false;
  if (asking_) return {};
  const Instant shortest = options_.lease_ms / kFreeReadsALease;
  if (forced(now) && now - asked_ >= shortest) return ask(leadership::Read{}, now);
  const Instant pause = now >= lease_until_ ? shortest : options_.lease_ms / kRenewalsALease;
  if (now - renewed_ >= pause) {
    renewed_ = now;
    if (lease_lost_) return ask(leadership::Regain{*view_.record, view_.revision}, now);
    return ask(leadership::Renew{lease_}, now);
  }
  if (!opened_) return {};  // should it not open, the others may lead as before
  if (view_.record->in_sync == right_in_sync() && doubtful_.empty()) return {};
  if (now - set_ < shortest) return {};  // an etcd that takes nothing is not asked on end
  set_ = now;
  asked_for_ = right_in_sync();
  ClusterRecord record = *view_.record;
  record.in_sync = asked_for_;
  return ask(leadership::SetInSync{std::move(record), view_.revision}, now);
}

// ---- etcd's answers ---------------------------------------------------------------------------------------

Leadership::Actions Leadership::handle(const leadership::Seen& seen, Instant now) {
  asking_ = false;
  if (role_ == Role::primary) {
    etcd_answered_ = now;
    record_lost_ = !seen.view.record;
    if (record_lost_) return forced(now) || writes_anew(now) ? take(now) : Actions{};
    ordered_.reset();
    if (!is_mine(seen.view)) return end(seen.view.record->primary + " leads");
    view_ = seen.view;
    if (view_.lease == 0) return {};
    lease_lost_ = false;  // of a try to regain it that was not answered
    lease_ = view_.lease;
    return {};
  }
  const auto attempt = attempt_;
  saw(seen.view, now);
  if (attempt && seen.view.record == attempt->record && seen.view.lease != 0 &&
      now < attempted_ + options_.lease_ms - options_.margin_ms)
    return lead(seen.view.lease, attempted_);  // etcd did it, its answer was lost
  if (!force_obstacle(now).empty()) ordered_.reset();
  if (forced(now) || obstacle(now).empty()) return take(now);
  return {};
}

Leadership::Actions Leadership::handle(const leadership::NotSeen&, Instant) {
  asking_ = false;
  return {};
}

Leadership::Actions Leadership::handle(const leadership::Taken& taken, Instant now) {
  asking_ = false;
  if (taken.outcome == leadership::Outcome::unknown) return {};
  if (taken.outcome == leadership::Outcome::refused) {
    attempt_.reset();  // a later tick looks why
    return {};
  }
  etcd_answered_ = now;
  view_ = {attempt_->record, taken.revision, taken.lease};
  return lead(taken.lease, taken.asked_at);
}

Leadership::Actions Leadership::handle(const leadership::Regained& regained, Instant now) {
  asking_ = false;
  if (regained.outcome != leadership::Outcome::done) return ask(leadership::Read{}, now);
  etcd_answered_ = now;
  view_.revision = regained.revision;
  lease_ = regained.lease;
  lease_lost_ = false;
  lease_until_ = regained.asked_at + options_.lease_ms - options_.margin_ms;
  renewed_ = regained.asked_at;
  return {};
}

Leadership::Actions Leadership::handle(const leadership::Renewed& renewed, Instant now) {
  asking_ = false;
  if (renewed.outcome == leadership::Outcome::unknown) return {};
  etcd_answered_ = now;
  lease_lost_ = renewed.outcome == leadership::Outcome::refused;
  record_lost_ = !renewed.view.record;
  if (record_lost_) return writes_anew(now) ? take(now) : Actions{};  // what was confirmed stays in force
  if (!is_mine(renewed.view)) return end(renewed.view.record->primary + " leads");
  view_ = renewed.view;
  if (!lease_lost_) lease_until_ = renewed.asked_at + options_.lease_ms - options_.margin_ms;
  if (lease_lost_) renewed_ = now - options_.lease_ms;  // it is asked for anew at once
  return {};
}

Leadership::Actions Leadership::handle(const leadership::InSyncSet& set, Instant now) {
  asking_ = false;
  if (set.outcome == leadership::Outcome::done) {
    etcd_answered_ = now;
    view_.record->in_sync = std::move(asked_for_);
    view_.revision = set.revision;
    doubtful_.clear();  // they compare with an older revision, so they cannot happen any more
    asked_for_.clear();
    return {};
  }
  if (set.outcome == leadership::Outcome::unknown)
    doubtful_.insert(doubtful_.end(), asked_for_.begin(), asked_for_.end());
  asked_for_.clear();
  return ask(leadership::Read{}, now);
}

// ---- the other member -------------------------------------------------------------------------------------

Leadership::Actions Leadership::handle(const leadership::Heard& heard, Instant now) {
  promised_until_ = std::max(promised_until_, now + options_.lease_ms);
  promised_epoch_ = std::max(promised_epoch_, heard.epoch);
  return {};
}

Leadership::Actions Leadership::handle(const leadership::PrimaryLeaves&, Instant now) {
  promised_until_ = now;
  asked_ = now - options_.lease_ms;  // look at once
  return {};
}

Leadership::Actions Leadership::handle(const leadership::StoreWhole& store, Instant) {
  whole_ = store.whole;
  any_ = store.any;
  // A copy takes the place of what was there; a store that is not whole says nothing of it.
  store_epoch_ = store.whole ? store.epoch : std::max(store_epoch_, store.epoch);
  return {};
}

Leadership::Actions Leadership::handle(const leadership::StandbyAnswered& answered, Instant) {
  if (role_ != Role::primary) return {};
  if (answered.name != standby_) caught_up_ = false;
  standby_ = answered.name;
  standby_answered_ = std::max(standby_answered_, answered.asked_at);
  return {};
}

/// Every batch from now on needs it, before the record says so.
Leadership::Actions Leadership::handle(const leadership::StandbyCaughtUp& standby, Instant now) {
  if (role_ == Role::primary && standby.name == standby_ && !standby_silent(now)) caught_up_ = true;
  return {};
}

Leadership::Actions Leadership::handle(const leadership::StandbyDiverged&, Instant) {
  caught_up_ = false;
  return {};
}

Leadership::Actions Leadership::handle(const leadership::Opened&, Instant) {
  opened_ = true;
  return {};
}

Leadership::Actions Leadership::handle(const leadership::Forced&, Instant now) {
  ordered_ = now;
  asked_ = now - options_.lease_ms;  // look at once
  return {};
}

}  // namespace actors
