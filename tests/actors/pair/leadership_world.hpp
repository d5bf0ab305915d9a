// A world for the rules of a pair: two members with logs, an etcd and a network of which a random scheduler
// pauses, delays and loses what it likes. It says what must never happen.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "actors/pair/leadership.hpp"

namespace rules_under_trial {

using namespace actors;
using namespace actors::leadership;
using actors::leadership::Outcome;  // actors has one of its own

inline constexpr Instant kLease = 6'000;

/// etcd, as far as the rules use it. Time is the world's.
class ScriptedEtcd {
 public:
  void tick(Instant now) {
    for (auto it = leases_.begin(); it != leases_.end();) {
      if (it->second > now) {
        ++it;
        continue;
      }
      if (view_.lease == it->first) view_.lease = 0;
      it = leases_.erase(it);
    }
  }
  const ClusterView& view() const { return view_; }
  /// It is full: it answers what it holds and takes nothing.
  bool takes(Instant now) const { return now >= full_until_; }
  void fill(Instant until) { full_until_ = until; }
  /// Sometimes the keys alone are deleted.
  void lose_everything(bool leases_too) {
    view_ = {};
    if (leases_too) leases_.clear();
  }
  void keep_snapshot() { snapshot_ = view_; }
  void restore_snapshot(Instant now) {
    view_ = snapshot_;
    if (view_.lease != 0) leases_[view_.lease] = now + kLease;
  }
  std::optional<std::int64_t> take(const Take& take, Instant now) {
    if (view_.revision != take.revision || (!take.forced && view_.lease != 0) || !takes(now)) return {};
    return put(take.record, now);
  }
  std::optional<std::int64_t> regain(const Regain& regain, Instant now) {
    if (view_.revision != regain.revision || view_.lease != 0 || !takes(now)) return {};
    return put(regain.record, now);
  }
  bool renew(std::int64_t lease, Instant now) {
    const auto it = leases_.find(lease);
    if (it == leases_.end()) return false;
    it->second = now + kLease;
    return true;
  }
  bool set_in_sync(const SetInSync& set, Instant now) {
    if (view_.revision != set.revision || !takes(now)) return false;
    view_.record = set.record;
    view_.revision = ++revisions_;
    return true;
  }

 private:
  std::int64_t put(const ClusterRecord& record, Instant now) {
    const std::int64_t lease = ++revisions_;
    leases_[lease] = now + kLease;
    view_ = {record, ++revisions_, lease};
    return lease;
  }
  ClusterView view_, snapshot_;
  Instant full_until_ = 0;
  std::int64_t revisions_ = 0;
  std::map<std::int64_t, Instant> leases_;
};

struct WorldOptions {
  double clock_error = 0.02;  ///< a member's clock goes so much faster or slower
  bool available = false;
  Instant margin_ms = 1'000;
  /// The operator forces whom he likes, and etcd becomes full or is wound back to a snapshot. Then two may
  /// answer and something may be lost, but what the rules promise of such days must hold.
  bool disasters = false;
  /// etcd comes back empty. The operator forces only where nobody leads, and then whoever has the newest
  /// data.
  bool empties = false;
  bool namesakes = false;  ///< both members have one name
  bool refuses_namesakes = true;
};

/// Two members with logs. A batch is (epoch, number); a log is all its batches in order.
class World {
 public:
  World(unsigned seed, WorldOptions options) : random_(seed), options_(options) {
    members_.emplace_back();
    members_.emplace_back();
    for (std::size_t i = 0; i < 2; ++i) {
      members_[i].name = i == 0 || options_.namesakes ? "a" : "b";
      members_[i].offset = static_cast<Instant>(random_() % 1'000'000'000);
      members_[i].speed = 1 + options_.clock_error * (static_cast<double>(random_() % 2'001) / 1'000 - 1);
      start(members_[i]);
    }
    force(members_[0]);
  }

  void step() {
    now_ += static_cast<Instant>(random_() % 40);
    etcd_.tick(now_);
    trouble();
    operate();
    deliver();
    for (Member& member : members_) {
      if (now_ < member.paused_until) continue;
      if (now_ >= member.ends_again && member.rules->role() == Leadership::Role::over) start(member);
      act(member, member.rules->on(Tick{}, clock(member)));
      work(member);
    }
    check();
  }

  std::size_t acknowledged() const { return acknowledged_.size(); }
  std::size_t leads = 0, ends = 0, regains = 0, without_etcd = 0, written_anew = 0;
  std::vector<std::string> faults;

 private:
  using Batch = std::pair<std::uint64_t, std::uint64_t>;
  struct Member {
    std::string name;
    Instant offset = 0;
    double speed = 1;
    Instant paused_until = 0, ends_again = 0;
    std::unique_ptr<Leadership> rules;
    std::vector<Batch> log;
    bool has_data = false;  // the first copy makes it true
    Instant ordered = 0;    // by the operator, to lead
    std::uint64_t known_epoch = 0;
    std::deque<Instant> asked;  // etcd, in the last second
    std::size_t incarnation = 0;
    // A primary's: what it has sent, and up to where the standby has it.
    std::uint64_t epoch = 0;
    std::size_t peer_has = 0;
    bool peer_follows = false;
    std::size_t waiting_from = 0;  // batches from here on are not acknowledged yet
  };
  struct Message {
    Instant due;
    std::size_t to, incarnation;
    std::function<void(Member&)> deliver;
  };

  Instant clock(const Member& member) const {
    return member.offset + static_cast<Instant>(static_cast<double>(now_) * member.speed);
  }
  Member& other(const Member& member) { return members_[&member == &members_[0] ? 1 : 0]; }
  std::size_t index(const Member& member) const { return &member == &members_[0] ? 0 : 1; }
  bool chance(unsigned one_in) { return random_() % one_in == 0; }

  void start(Member& member) {
    ++member.incarnation;
    member.peer_follows = false;
    member.rules = std::make_unique<Leadership>(
        LeadershipOptions{member.name, kLease, options_.margin_ms, 2'000, options_.available}, clock(member));
    member.known_epoch = member.log.empty() ? 0 : member.log.back().first;
    member.asked.clear();
    act(member,
        member.rules->on(StoreWhole{member.has_data, member.known_epoch, member.has_data}, clock(member)));
  }

  void force(Member& member) {
    member.ordered = clock(member);
    act(member, member.rules->on(Forced{}, clock(member)));
  }

  bool nobody_leads() const {
    return std::none_of(members_.begin(), members_.end(),
                        [](const Member& m) { return m.rules->role() == Leadership::Role::primary; });
  }
  /// An order to the other member may still be followed.
  bool other_is_ordered(const Member& member) {
    const Member& rival = other(member);
    return rival.ordered != 0 && clock(rival) - rival.ordered < 2 * kLease;
  }
  Member& newest() {
    const auto age = [](const Member& m) {
      return m.log.empty() ? std::pair<std::uint64_t, std::size_t>()
                           : std::pair(m.log.back().first, m.log.size());
    };
    return age(members_[1]) > age(members_[0]) ? members_[1] : members_[0];
  }

  void operate() {
    if (options_.empties && chance(20 * trouble_one_in_)) etcd_.lose_everything(chance(2));
    if (!etcd_.view().record && chance(100) && nobody_leads() && !other_is_ordered(newest())) force(newest());
    if (!options_.disasters) return;
    if (chance(20 * trouble_one_in_) && etcd_.view().record) force(members_[random_() % 2]);
    if (chance(20 * trouble_one_in_)) etcd_.fill(now_ + static_cast<Instant>(random_() % (2 * kLease)));
    if (chance(10 * trouble_one_in_)) etcd_.keep_snapshot();
    if (chance(40 * trouble_one_in_)) etcd_.restore_snapshot(now_);
  }

  void trouble() {
    for (Member& member : members_) {
      if (chance(20 * trouble_one_in_))
        member.paused_until = now_ + static_cast<Instant>(random_() % (3 * kLease));
      if (chance(40 * trouble_one_in_)) {  // kill -9 and a start
        start(member);
        member.paused_until = now_ + static_cast<Instant>(random_() % 3'000);
      }
    }
    if (chance(20 * trouble_one_in_))
      etcd_away_until_ = now_ + static_cast<Instant>(random_() % (4 * kLease));
    if (chance(20 * trouble_one_in_))
      cut_[random_() % 2] = now_ + static_cast<Instant>(random_() % (2 * kLease));
    if (chance(20 * trouble_one_in_))
      etcd_cut_[random_() % 2] = now_ + static_cast<Instant>(random_() % (2 * kLease));
  }

  /// A network's delay: mostly short.
  Instant delay() { return static_cast<Instant>(chance(slow_one_in_) ? random_() % 4'000 : random_() % 30); }

  void send(const Member& to, Instant due, std::function<void(Member&)> deliver) {
    messages_.push_back({due, index(to), to.incarnation, std::move(deliver)});
  }

  void deliver() {
    for (std::size_t i = 0; i < messages_.size();) {
      if (messages_[i].due > now_ || now_ < members_[messages_[i].to].paused_until) {
        ++i;
        continue;
      }
      const Message message = std::move(messages_[i]);
      messages_.erase(messages_.begin() + static_cast<std::ptrdiff_t>(i));
      Member& to = members_[message.to];
      if (to.incarnation == message.incarnation && to.rules->role() != Leadership::Role::over)
        message.deliver(to);
    }
    for (std::size_t i = 0; i < asked_.size();) {
      if (asked_[i].first > now_) {
        ++i;
        continue;
      }
      const auto ask = std::move(asked_[i].second);
      asked_.erase(asked_.begin() + static_cast<std::ptrdiff_t>(i));
      ask();
    }
  }

  /// A question to etcd: it arrives late or never, and its answer too; after a second the asker gives up, and
  /// what it asked for may still happen.
  template <class Event, class Apply>
  void ask_etcd(Member& member, Event given_up, Apply apply) {
    const std::size_t incarnation = member.incarnation;
    const std::size_t who = index(member);
    count(member);
    const auto open = std::make_shared<bool>(true);
    const auto tell = [this, who, incarnation, open](const auto& event) {
      Member& asker = members_[who];
      if (!*open || asker.incarnation != incarnation) return;
      *open = false;
      learn(asker, event);
      act(asker, asker.rules->on(event, clock(asker)));
    };
    send(member, now_ + 1'000, [tell, given_up](Member&) { tell(given_up); });
    if (now_ < etcd_away_until_ || now_ < etcd_cut_[who]) return;
    asked_.emplace_back(now_ + delay(), [this, who, apply, tell] {
      const auto answer = apply();
      if (now_ < etcd_away_until_ || now_ < etcd_cut_[who] || chance(2 * slow_one_in_)) return;
      send(members_[who], now_ + delay(), [tell, answer](Member&) { tell(answer); });
    });
  }

  void count(Member& member) {
    constexpr std::size_t kMost = 16;
    member.asked.push_back(now_);
    while (member.asked.front() < now_ - 1'000) member.asked.pop_front();
    if (member.asked.size() > kMost)
      faults.push_back(member.name + " asks etcd " + std::to_string(member.asked.size()) +
                       " times in a second");
  }

  template <class Event>
  static void learn(Member& member, const Event& event) {
    if constexpr (std::is_same_v<Event, Seen> || std::is_same_v<Event, Renewed>)
      if (event.view.record) member.known_epoch = std::max(member.known_epoch, event.view.record->epoch);
  }

  void check_take(const Member& member, const Take& take) {
    const auto& record = member.rules->view().record;
    if (take.forced && clock(member) - member.ordered > kLease)
      faults.push_back(member.name + " follows an order of " +
                       std::to_string(clock(member) - member.ordered) + " ms ago");
    if (take.forced && record && !member.has_data)
      faults.push_back(member.name + " is to lead and has no data");
    if (!take.forced && record && record->epoch < member.known_epoch)
      faults.push_back(member.name + " takes the lead after epoch " + std::to_string(record->epoch) +
                       " and knows of epoch " + std::to_string(member.known_epoch));
  }

  void act(Member& member, const std::vector<Action>& actions) {
    for (const Action& action : actions) std::visit([&](const auto& a) { perform(member, a); }, action);
  }
  void perform(Member& member, const Read&) {
    ask_etcd(member, NotSeen{}, [this] { return Seen{etcd_.view()}; });
  }
  void perform(Member& member, const Take& take) {
    check_take(member, take);
    const Instant asked = clock(member);
    const bool rewrites = member.rules->role() == Leadership::Role::primary;
    ask_etcd(member, Taken{Outcome::unknown, asked, 0, 0}, [this, take, asked, rewrites] {
      const auto lease = etcd_.take(take, now_);
      if (lease && rewrites) ++written_anew;
      return Taken{lease ? Outcome::done : Outcome::refused, asked, lease.value_or(0), etcd_.view().revision};
    });
  }
  void perform(Member& member, const Regain& regain) {
    const Instant asked = clock(member);
    ask_etcd(member, Regained{Outcome::unknown, asked, 0, 0}, [this, regain, asked] {
      const auto lease = etcd_.regain(regain, now_);
      if (lease) ++regains;
      return Regained{lease ? Outcome::done : Outcome::refused, asked, lease.value_or(0),
                      etcd_.view().revision};
    });
  }
  void perform(Member& member, const Renew& renew) {
    const Instant asked = clock(member);
    ask_etcd(member, Renewed{Outcome::unknown, asked, {}}, [this, renew, asked] {
      const bool done = etcd_.renew(renew.lease, now_);
      return Renewed{done ? Outcome::done : Outcome::refused, asked, etcd_.view()};
    });
  }
  void perform(Member& member, const SetInSync& set) {
    ask_etcd(member, InSyncSet{Outcome::unknown, 0}, [this, set] {
      const bool done = etcd_.set_in_sync(set, now_);
      return InSyncSet{done ? Outcome::done : Outcome::refused, etcd_.view().revision};
    });
  }
  void perform(Member& member, const Lead& lead) {
    ++leads;
    member.epoch = lead.epoch;
    member.peer_follows = false;
    member.has_data = true;
    for (const Batch& batch : acknowledged_)
      if (!options_.disasters && std::find(member.log.begin(), member.log.end(), batch) == member.log.end())
        faults.push_back(member.name + " leads epoch " + std::to_string(lead.epoch) + " and lacks batch " +
                         std::to_string(batch.second) + " of epoch " + std::to_string(batch.first));
    // All of these are there, in every later log as well: they need no look any more.
    acknowledged_before_ += acknowledged_.size();
    acknowledged_.clear();
    member.waiting_from = member.log.size();
    if (chance(10)) {  // its store does not open: it ends, and is started anew
      start(member);
      member.paused_until = now_ + 1'000;
      return;
    }
    act(member, member.rules->on(Opened{}, clock(member)));
  }
  void perform(Member& member, const End&) {
    ++ends;
    member.ends_again = now_ + 1'000;
  }

  /// A primary writes, sends to its standby, and acknowledges what all have that must.
  void work(Member& member) {
    if (member.rules->role() != Leadership::Role::primary) return;
    Member& peer = other(member);
    const bool refused = peer.name == member.name && options_.refuses_namesakes;  // by the log's server
    if (chance(4)) member.log.emplace_back(member.epoch, ++batches_);
    if (member.rules->needed().empty()) member.waiting_from = acknowledge(member, member.log.size());
    if (chance(4) && now_ >= cut_[index(peer)] && !refused) send_log(member, peer);
  }

  void send_log(Member& member, Member& peer) {
    const Instant asked = clock(member);
    const std::size_t incarnation = member.incarnation;
    send(
        peer, now_ + delay(),
        [this, log = member.log, epoch = member.epoch, asked, incarnation, &member](Member& standby) {
          if (!standby.rules->may_answer(epoch)) return;
          // In the world's order messages may overtake each other; a stream's may not.
          const bool older =
              log.size() < standby.log.size() && std::equal(log.begin(), log.end(), standby.log.begin());
          if (older && !standby.log.empty() && standby.log.back().first == epoch) return;
          const bool diverged =
              !std::equal(
                  standby.log.begin(),
                  standby.log.begin() + static_cast<std::ptrdiff_t>(std::min(log.size(), standby.log.size())),
                  log.begin()) ||
              standby.log.size() > log.size();
          // It may be copied anew when it is in sync no more (the primary sees to that).
          if (diverged) {
            if (member.incarnation != incarnation || member.rules->role() != Leadership::Role::primary)
              return;
            act(member, member.rules->on(StandbyDiverged{}, clock(member)));
            const auto needed = member.rules->needed();
            if (std::find(needed.begin(), needed.end(), standby.name) != needed.end()) return;
          }
          standby.log = log;
          if (!std::exchange(standby.has_data, true))
            act(standby, standby.rules->on(StoreWhole{true, epoch}, clock(standby)));
          act(standby, standby.rules->on(Heard{epoch}, clock(standby)));
          if (now_ < cut_[index(member)]) return;
          send(member, now_ + delay(), [this, has = log.size(), asked, name = standby.name](Member& primary) {
            act(primary, primary.rules->on(StandbyAnswered{name, asked}, clock(primary)));
            if (primary.rules->role() != Leadership::Role::primary) return;
            const auto needed = primary.rules->needed();
            if (std::find(needed.begin(), needed.end(), name) != needed.end())
              primary.waiting_from = acknowledge(primary, has);
            else if (has == primary.log.size())
              act(primary, primary.rules->on(StandbyCaughtUp{name}, clock(primary)));
          });
        });
  }

  std::size_t acknowledge(Member& member, std::size_t until) {
    if (clock(member) >= member.rules->serves_until()) return member.waiting_from;
    for (std::size_t i = member.waiting_from; i < until; ++i) {
      acknowledged_.push_back(member.log[i]);
      if (member.epoch < newest_acknowledging_ && !options_.disasters)
        faults.push_back("epoch " + std::to_string(member.epoch) + " acknowledges after epoch " +
                         std::to_string(newest_acknowledging_));
      newest_acknowledging_ = std::max(newest_acknowledging_, member.epoch);
    }
    return std::max(member.waiting_from, until);
  }

  void check() {
    int answering = 0;
    for (const Member& member : members_)
      if (now_ >= member.paused_until && clock(member) < member.rules->serves_until()) ++answering;
    if (answering > 1 && !options_.disasters)
      faults.push_back("two members answer at " + std::to_string(now_));
    if (answering == 1 && now_ < etcd_away_until_) ++without_etcd;
  }

  std::mt19937 random_;
  WorldOptions options_;
  // Some worlds are rough, most of their time is trouble; others are like a machine room.
  unsigned slow_one_in_ = 4U << random_() % 5, trouble_one_in_ = 10U << random_() % 6;
  Instant now_ = 0;
  ScriptedEtcd etcd_;
  std::deque<Member> members_;
  std::vector<Message> messages_;
  std::vector<std::pair<Instant, std::function<void()>>> asked_;
  Instant etcd_away_until_ = 0;
  Instant cut_[2] = {0, 0};       // whoever sends to this member sends in vain
  Instant etcd_cut_[2] = {0, 0};  // this member and etcd do not hear each other
  std::uint64_t batches_ = 0;
  std::vector<Batch> acknowledged_;
  std::size_t acknowledged_before_ = 0;
  std::uint64_t newest_acknowledging_ = 0;

 public:
  std::size_t all_acknowledged() const { return acknowledged_before_ + acknowledged_.size(); }
};

inline unsigned steps_wanted() {
  const char* text = std::getenv("ROOF_LEADERSHIP_STEPS");
  return text ? static_cast<unsigned>(std::stoul(text)) : 1'000'000;
}

struct Walk {
  std::size_t acknowledged = 0, leads = 0, ends = 0, regains = 0, without_etcd = 0, written_anew = 0;
  std::vector<std::string> faults;
};

inline Walk walk(unsigned steps, WorldOptions options, unsigned first_seed) {
  constexpr unsigned kStepsAWorld = 20'000;  // worlds with logs of their own stay small
  Walk all;
  for (unsigned done = 0, seed = first_seed; done < steps && all.faults.empty();
       done += kStepsAWorld, ++seed) {
    World world(seed, options);
    for (unsigned i = 0; i < kStepsAWorld && world.faults.empty(); ++i) world.step();
    all.acknowledged += world.all_acknowledged();
    all.leads += world.leads;
    all.ends += world.ends;
    all.regains += world.regains;
    all.without_etcd += world.without_etcd;
    all.written_anew += world.written_anew;
    for (const std::string& fault : world.faults)
      all.faults.push_back("seed " + std::to_string(seed) + ": " + fault);
  }
  return all;
}

}  // namespace rules_under_trial
