// Signing in, and the sessions.
#include <algorithm>

#include "actors/sign_in/members.hpp"
#include "actors/sign_in/secret.hpp"
#include "persistence/keys.hpp"

namespace actors {

using persistence::Table;

namespace {

constexpr std::size_t kBrowserMost = 200;

}  // namespace

void MembersActor::carry(SignIn& order, const Answerer& answer) {
  const auto email = email_address(order.email);
  // A text that is no e-mail address belongs to nobody, so it is counted for its caller alone.
  const std::string key = email ? email->key : "c " + order.from;
  if (const auto wait_s = count_guess(key, order.from))
    return answer({.fault = MemberFault::too_many, .retry_after_s = wait_s});
  const auto account = register_.account_of(key);
  if (!account) return answer({.fault = MemberFault::disk});
  persistence::Credentials credentials;
  // The disk may still give the old password while a new one is on its way to it.
  if (*account && changing_.held(std::to_string(**account)))
    return answer({.fault = MemberFault::busy, .retry_after_s = 1});
  if (*account) {
    const auto stored = register_.credentials(**account);
    if (!stored) return answer({.fault = MemberFault::disk});
    credentials = stored->value_or(persistence::Credentials{});
  }
  const std::uint64_t id = account->value_or(0);
  const NewSession wanted{id, std::move(order.browser), order.only_today ? kShortSession_ms : kLongSession_ms,
                          epochs_[id]};
  with_verdict(
      CheckPassword{std::move(order.password), credentials.password_hash}, answer,
      [this, answer, wanted, credentials, key](const PasswordVerdict& verdict) {
        if (!verdict.matches) return answer({.fault = MemberFault::wrong});
        guesses_.forgive(key);
        persistence::Writes writes;
        Hold changing;
        if (!verdict.hash.empty()) changing = changing_.take(std::to_string(wanted.account));
        if (changing) {
          auto renewed = credentials;
          renewed.password_hash = verdict.hash;
          writes.push_back({Table::credentials, persistence::number_key(wanted.account), encode(renewed)});
        }
        begin_session(wanted, std::move(writes), {changing}, answer);
      });
}

/// A password that was replaced while it was being checked opens nothing.
void MembersActor::begin_session(const NewSession& wanted, persistence::Writes writes,
                                 std::vector<Hold> holds, const Answerer& answer) {
  if (epochs_[wanted.account] != wanted.epoch) return answer({.fault = MemberFault::wrong});
  const std::int64_t now = clock_();
  const std::int64_t lifetime = wanted.lifetime_ms > 0 ? wanted.lifetime_ms : kLongSession_ms;
  const std::string id = make_session_id(wanted.account);
  const std::string fingerprint = fingerprint_of_secret(id);
  writes.push_back({Table::sessions, member_key(wanted.account, fingerprint),
                    encode(persistence::Session{now, now, now + lifetime, lifetime,
                                                wanted.browser.substr(0, kBrowserMost)})});
  const auto arriving = arriving_.emplace(wanted.account, fingerprint);
  store(std::move(writes), answer, [this, id, lifetime, arriving, holds = std::move(holds)](bool on_disk) {
    arriving_.erase(arriving);
    if (!on_disk) return MemberReply{.fault = MemberFault::disk};
    return MemberReply{.session = id, .lifetime_s = lifetime / 1000};
  });
}

void MembersActor::end_session(std::uint64_t account, const std::string& fingerprint, Endings& endings) {
  endings.holds.push_back(ending_.take(fingerprint));
  endings.writes.push_back(persistence::erased(Table::sessions, member_key(account, fingerprint)));
  sessions_.erase(fingerprint);
}

/// Ends those, too, that are still being written: the journal keeps the order, so the erasure comes after.
persistence::Stored<MembersActor::Endings> MembersActor::end_sessions(std::uint64_t account,
                                                                      const std::string& but) {
  Endings endings;
  const auto scanned = register_.sessions(account, [&](const std::string& one, const persistence::Session&) {
    if (one != but) end_session(account, one, endings);
  });
  if (!scanned) return tl::make_unexpected(scanned.error());
  const auto [first, last] = arriving_.equal_range(account);
  std::for_each(first, last, [&](const auto& one) { end_session(account, one.second, endings); });
  return endings;
}

void MembersActor::carry(EndSessions& order, const Answerer& answer) {
  persistence::Stored<Endings> endings;
  if (order.others) {
    ++epochs_[order.account];  // a sign-in whose password is being checked comes too late
    endings = end_sessions(order.account, order.fingerprint);
    if (!endings) return answer({.fault = MemberFault::disk});
  } else {
    end_session(order.account, order.fingerprint, *endings);
  }
  store(std::move(endings->writes), std::move(endings->holds), answer);
}

SessionState MembersActor::read(const ReadSession& order) {
  const auto account = account_of_session(order.id);
  if (!account) return {};
  const std::string fingerprint = fingerprint_of_secret(order.id);
  const auto found = session(*account, fingerprint);
  if (!found) return {.readable = false};
  if (!*found || (*found)->expires_ms <= clock_()) return {};
  const std::int64_t signed_in_ms = (*found)->signed_in_ms;
  prolong(*account, fingerprint, **found);
  const auto owner = person(*account);
  if (!owner) return {.readable = false};
  if (!*owner) return {};
  return {true, true, **owner, fingerprint, signed_in_ms};
}

/// Null when there is none, or none any more.
persistence::Stored<persistence::Session*> MembersActor::session(std::uint64_t account,
                                                                 const std::string& fingerprint) {
  if (ending_.held(fingerprint)) return nullptr;
  if (persistence::Session* known = sessions_.find(fingerprint)) return known;
  auto stored = register_.session(account, fingerprint);
  if (!stored) return tl::make_unexpected(stored.error());
  return *stored ? &sessions_.put(fingerprint, std::move(**stored)) : nullptr;
}

/// Once an hour. Nobody waits for it: a session that is used ends a little early at worst.
void MembersActor::prolong(std::uint64_t account, const std::string& fingerprint,
                           persistence::Session& session) {
  const std::int64_t now = clock_();
  if (now - session.used_ms < kHour_ms) return;
  session.used_ms = now;
  session.expires_ms = now + session.lifetime_ms;
  at_journal_.follow<bool>(
      *this, peers_.journal, [](bool) {}, [] {},
      persistence::Writes{{Table::sessions, member_key(account, fingerprint), encode(session)}});
}

/// Null for an account that is closed or gone.
persistence::Stored<const Person*> MembersActor::person(std::uint64_t account) {
  if (const Person* known = people_.find(account)) return known;
  const auto record = register_.account(account);
  if (!record) return tl::make_unexpected(record.error());
  if (!*record || (*record)->closed_ms != 0) return nullptr;
  const auto credentials = register_.credentials(account);
  if (!credentials) return tl::make_unexpected(credentials.error());
  const std::string shown = *credentials ? (*credentials)->email_shown : (*record)->email;
  return &people_.put(account,
                      {account, shown, (*record)->plan, (*record)->created_ms, (*record)->expires_ms});
}

SessionList MembersActor::list(const ListSessions& order) {
  SessionList list;
  const auto scanned =
      register_.sessions(order.account, [&](const std::string& one, const persistence::Session& session) {
        if (session.expires_ms > clock_() && !ending_.held(one))
          list.sessions.push_back({one, session.browser, session.signed_in_ms, session.used_ms});
      });
  list.readable = scanned.has_value();
  std::sort(list.sessions.begin(), list.sessions.end(),
            [](const SessionLine& a, const SessionLine& b) { return a.used_ms > b.used_ms; });
  return list;
}

}  // namespace actors
