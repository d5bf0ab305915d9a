#include "actors/pair/pair.hpp"

#include <algorithm>
#include <ctime>
#include <limits>

namespace actors {
namespace {

using namespace std::chrono_literals;

constexpr auto kTicks = 25ms;

}  // namespace

Instant boot_clock_ms() {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  return Instant{now.tv_sec} * 1'000 + now.tv_nsec / 1'000'000;
}

Pair::Pair(LeadershipOptions rules, EtcdOptions etcd, Tell tell, std::function<void(const std::string&)> end)
    : tell_line_(std::move(tell)),
      end_(std::move(end)),
      options_(rules),
      etcd_(std::move(etcd)),
      rules_(std::move(rules), boot_clock_ms()),
      serves_until_(std::numeric_limits<Instant>::min()) {
  thread_ = std::thread([this] { run(); });
  watch_ = std::thread([this] { watch(); });
}

Pair::~Pair() {
  ending_ = true;
  wake_.notify_all();
  thread_.join();
  watch_.join();
}

/// The rules hear of it; what they want done is returned.
std::vector<leadership::Action> Pair::told(const leadership::Event& event) {
  auto actions = rules_.on(event, boot_clock_ms());
  if (!resigned_) serves_until_ = rules_.serves_until();
  return actions;
}

/// From a thread that must not wait for etcd.
void Pair::tell(const leadership::Event& event) {
  const std::lock_guard guard(mutex_);
  const auto actions = told(event);
  // These events never want etcd asked at once: the next tick does.
  for (const auto& action : actions)
    if (const auto* over = std::get_if<leadership::End>(&action)) end_(over->why);
}

void Pair::run() {
  while (!ending_) {
    {
      std::unique_lock guard(mutex_);
      wake_.wait_for(guard, kTicks);
      if (resigned_) continue;
    }
    std::vector<leadership::Action> actions;
    {
      const std::lock_guard guard(mutex_);
      actions = told(leadership::Tick{});
    }
    perform(std::move(actions));
  }
}

void Pair::perform(std::vector<leadership::Action> actions) {
  while (!actions.empty() && !ending_) {
    const leadership::Action action = std::move(actions.front());
    actions.erase(actions.begin());
    const Instant now = boot_clock_ms();
    std::optional<leadership::Event> answer;
    if (std::get_if<leadership::Read>(&action)) answer = etcd_.read();
    if (const auto* take = std::get_if<leadership::Take>(&action)) answer = etcd_.take(*take, now);
    if (const auto* renew = std::get_if<leadership::Renew>(&action)) answer = etcd_.renew(*renew, now);
    if (const auto* regain = std::get_if<leadership::Regain>(&action)) answer = etcd_.regain(*regain, now);
    if (const auto* set = std::get_if<leadership::SetInSync>(&action)) answer = etcd_.set_in_sync(*set);
    if (const auto* lead = std::get_if<leadership::Lead>(&action)) {
      epoch_ = lead->epoch;
      tell_line_("this member leads epoch " + std::to_string(lead->epoch));
    }
    if (const auto* over = std::get_if<leadership::End>(&action)) end_(over->why);
    if (!answer) continue;
    std::function<void()> changed;
    std::string line;
    {
      const std::lock_guard guard(mutex_);
      if (etcd_.fault() != etcd_fault_) line = etcd_.fault().empty() ? "etcd answers" : etcd_.fault();
      etcd_fault_ = etcd_.fault();
      if (resigned_) return;
      const auto before = rules_.view().record;
      for (auto& next : told(*answer)) actions.push_back(std::move(next));
      const auto& after = rules_.view().record;
      if (after && (!before || before->in_sync != after->in_sync || before->epoch != after->epoch))
        line = "the pair is now " + text_of(*after);
      changed = changed_;
    }
    if (!line.empty()) tell_line_(line);
    if (changed) changed();
  }
}

/// The thread above may wait for etcd when the time is over.
void Pair::watch() {
  while (!ending_) {
    std::this_thread::sleep_for(kTicks);
    {
      const std::lock_guard guard(mutex_);
      if (resigned_ || rules_.role() != Leadership::Role::primary || answers()) continue;
    }
    end_("neither etcd nor an in-sync standby has answered in time");
  }
}

persistence::LogFollowerHooks Pair::follower_hooks() {
  return {.may_answer =
              [this](std::uint64_t epoch) {
                const std::lock_guard guard(mutex_);
                if (!rules_.may_answer(epoch)) return false;
                told(leadership::Heard{epoch});
                return true;
              },
          .primary_leaves = [this] { tell(leadership::PrimaryLeaves{}); },
          .whole =
              [this](bool whole, std::uint64_t epoch, bool any) {
                tell(leadership::StoreWhole{whole, epoch, any});
              },
          .tell = tell_line_};
}

persistence::LogServerHooks Pair::server_hooks(std::function<void()> take_over) {
  const auto needs = [this](const std::string& name) {
    const std::lock_guard guard(mutex_);
    const auto needed = rules_.needed();
    return std::find(needed.begin(), needed.end(), name) != needed.end();
  };
  return {.now_ms = boot_clock_ms,
          .answered =
              [this](const std::string& name, Instant sent_at) {
                tell(leadership::StandbyAnswered{name, sent_at});
              },
          .caught_up = [this](const std::string& name) { tell(leadership::StandbyCaughtUp{name}); },
          .diverged = [this] { tell(leadership::StandbyDiverged{}); },
          .acknowledges =
              [this](const std::string& has_it) {
                const std::lock_guard guard(mutex_);
                if (!answers()) return false;
                for (const std::string& name : rules_.needed())
                  if (name != has_it) return false;
                return true;
              },
          .needed = needs,
          .in_sync =
              [this](const std::string& name) {
                const std::lock_guard guard(mutex_);
                return rules_.in_sync(name);
              },
          .take_over = std::move(take_over),
          .tell = tell_line_};
}

void Pair::on_change(std::function<void()> changed) {
  const std::lock_guard guard(mutex_);
  changed_ = std::move(changed);
}

PairStatus Pair::status() const {
  const std::lock_guard guard(mutex_);
  const Instant now = boot_clock_ms();
  PairStatus status;
  status.leads = rules_.role() == Leadership::Role::primary;
  if (rules_.view().record) status.record = *rules_.view().record;
  status.lease_left_ms =
      status.leads ? std::max<Instant>(0, std::min(rules_.serves_until() - now, options_.lease_ms)) : 0;
  status.hears_etcd = now - rules_.etcd_answered() < options_.lease_ms;
  status.record_lost = rules_.record_lost();
  status.etcd_fault = etcd_fault_;
  if (!status.leads) status.obstacle = rules_.obstacle(now);
  status.force_obstacle = rules_.force_obstacle(now);
  return status;
}

void Pair::force() { tell(leadership::Forced{}); }

void Pair::resign() {
  std::int64_t lease = 0;
  {
    const std::lock_guard guard(mutex_);
    if (resigned_) return;
    resigned_ = true;
    serves_until_ = std::numeric_limits<Instant>::min();
    if (rules_.role() == Leadership::Role::primary) lease = rules_.lease();
  }
  ending_ = true;
  wake_.notify_all();
  thread_.join();  // it may be asking etcd
  if (lease != 0) etcd_.revoke(lease);
  thread_ = std::thread([] {});
}

}  // namespace actors
