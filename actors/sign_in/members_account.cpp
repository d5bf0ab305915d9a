// Accounts: made and granted by operators, closed by their owners, erased.
#include <caf/send.hpp>

#include "actors/accounts/accounts.hpp"
#include "actors/accounts/email.hpp"
#include "actors/admin_order.hpp"
#include "actors/sign_in/members.hpp"
#include "persistence/keys.hpp"

namespace actors {

using persistence::number_key;
using persistence::Table;

namespace {

constexpr std::int64_t kTestAccount_ms = kTestPeriod_days * kDay_ms;
/// So that what was under way when the account was closed has come to its end.
constexpr auto kBeforeErasing = std::chrono::seconds(5);
constexpr auto kErasingPatience = std::chrono::minutes(10);
constexpr auto kSweepEvery = std::chrono::hours(1);
constexpr auto kDiskRefusesMember = "the data directory cannot be read or written";

AdminReply no(std::string sentence) { return {false, std::move(sentence)}; }

/// Everything of an account in a table whose keys begin with its number.
void erase_all(const persistence::Store& store, Table table, std::uint64_t account,
               persistence::Writes& writes) {
  const auto scanned = store.scan(table, number_key(account), persistence::Store::Order::ascending, {},
                                  [&](std::string_view key, std::string_view) {
                                    writes.push_back(persistence::erased(table, std::string(key)));
                                    return true;
                                  });
  static_cast<void>(scanned);  // what cannot be read now is erased by the next sweep
}

}  // namespace

persistence::Account MembersActor::new_account(std::uint64_t id, const std::string& email,
                                               const std::string& plan) const {
  const std::int64_t now = clock_();
  return {id, email, plan, now, plan == "test" ? now + kTestAccount_ms : 0};
}

caf::result<AdminReply> MembersActor::add(const AddAccount& order) {
  const auto email = normal_email(order.email);
  if (!email) return no("--email is not an e-mail address");
  if (order.plan != "regular" && order.plan != "test") return no("--plan is regular or test");
  const auto known = register_.account_of(*email);
  if (!known) return no(kDiskRefusesMember);
  if (*known) return no("account " + std::to_string(**known) + " has that e-mail address already");
  Hold joining = joining_.take(*email);
  if (!joining) return no("an account with that e-mail address is being made");
  const auto id = store_.next_id("account");
  if (!id) return no(kDiskRefusesMember);
  return carry_out(*this, at_journal_, peers_.journal,
                   {{Table::accounts, number_key(*id), encode(new_account(*id, *email, order.plan))},
                    {Table::emails, *email, number_key(*id)}},
                   [id, joining](bool stored) {
                     return stored ? AdminReply{true, std::to_string(*id)} : no(kDiskRefusesMember);
                   });
}

/// The error is a sentence.
tl::expected<std::uint64_t, std::string> MembersActor::named_in(const GrantAccount& order) const {
  if (order.account != 0) return order.account;
  const auto email = normal_email(order.email);
  if (!email) return tl::make_unexpected("--email is not an e-mail address");
  const auto known = register_.account_of(*email);
  if (!known) return tl::make_unexpected(kDiskRefusesMember);
  if (!*known) return tl::make_unexpected("no account has that e-mail address");
  return **known;
}

caf::result<AdminReply> MembersActor::grant(const GrantAccount& order) {
  const auto named = named_in(order);
  if (!named) return no(named.error());
  const std::uint64_t id = *named;
  const std::string name = "account " + std::to_string(id);
  Hold changing = changing_.take(std::to_string(id));
  if (!changing) return no(name + " is being changed just now");
  auto account = register_.account(id);
  if (!account) return no(kDiskRefusesMember);
  if (!*account || (*account)->closed_ms != 0) return no("there is no " + name);
  (*account)->plan = "regular";
  (*account)->expires_ms = 0;
  auto promise = make_response_promise<AdminReply>();
  at_journal_.follow<bool>(
      *this, peers_.journal,
      [this, promise, name, changing, id](bool stored) mutable {
        tell_shard(id, [promise, name, stored]() mutable {
          if (promise.pending())
            promise.deliver(stored ? AdminReply{true, name + " is a regular account now"}
                                   : no(kDiskRefusesMember));
        });
      },
      [promise]() mutable { promise.deliver(no("the disk has not answered in time; look again later")); },
      persistence::Writes{{Table::accounts, number_key(id), encode(**account)}});
  return promise;
}

void MembersActor::carry(CloseAccount& order, const Answerer& answer) {
  prove(order.account, order.password, answer,
        [this, id = order.account, answer](const persistence::Credentials& credentials) {
          const auto account = register_.account(id);
          if (!account) return answer({.fault = MemberFault::disk});
          if (!*account || (*account)->closed_ms != 0) return answer({.fault = MemberFault::wrong});
          persistence::Writes mail;
          write_mail(credentials.email_sending, words_account_closed(), mail);
          close(**account, std::move(mail), answer);
        });
}

/// From here on nobody is let in, by session or by key. What the account has stored goes a little later, so
/// that the answer does not wait for it; after a kill the next sweep goes on.
void MembersActor::close(persistence::Account account, persistence::Writes writes, const Answerer& answer) {
  const std::uint64_t id = account.id;
  Hold changing = changing_.take(std::to_string(id));
  if (!changing) return answer({.fault = MemberFault::busy, .retry_after_s = 1});
  ++epochs_[id];
  auto ends = end_sessions(id, {});
  if (!ends) return answer({.fault = MemberFault::disk});
  account.closed_ms = clock_();
  writes.insert(writes.end(), ends->writes.begin(), ends->writes.end());
  ends->holds.push_back(changing);
  writes.push_back({Table::accounts, number_key(id), encode(account)});
  writes.push_back(persistence::erased(Table::emails, account.email));
  writes.push_back(persistence::erased(Table::credentials, number_key(id)));
  erase_all(store_, Table::keys, id, writes);
  erase_all(store_, Table::passkeys, id, writes);
  const Answerer told = [this, answer, id](const MemberReply& reply) {
    send(peers_.mailer, next_atom::value);
    tell_shard(id, [this, answer, reply, id] {
      if (reply.fault == MemberFault::none)
        delayed_send(caf::actor_cast<Members>(this), kBeforeErasing, erase_atom::value, id);
      answer(reply);
    });
  };
  store(std::move(writes), std::move(ends->holds), told);
}

void MembersActor::erase(std::uint64_t account) {
  if (peers_.projects.empty()) return erase_records(account);
  const auto& shard = peers_.projects[shard_of(account, peers_.projects.size())];
  request(shard, kErasingPatience, EraseProjects{account})
      .then(
          [this, account](const AdminReply& erased) {
            if (erased.ok) erase_records(account);
          },
          [](const caf::error&) {});  // the next sweep tries again
}

/// The account's own record goes with the last of its data, so that the sweep finds what is left.
void MembersActor::erase_records(std::uint64_t account) {
  persistence::Writes writes;
  for (const Table table :
       {Table::sessions, Table::passkeys, Table::keys, Table::key_uses, Table::limits, Table::accounts})
    erase_all(store_, table, account, writes);
  at_journal_.follow<bool>(
      *this, peers_.journal, [](bool) {}, [] {}, std::move(writes));
}

/// Sessions and links that have expired, test accounts long after their end, closed accounts of a program
/// that was killed.
void MembersActor::sweep() {
  const std::int64_t now = clock_();
  persistence::Writes old;
  const auto collect = [&](Table table, const auto& is_old) {
    const auto scanned = store_.scan(table, {}, persistence::Store::Order::ascending, {},
                                     [&](std::string_view key, std::string_view value) {
                                       if (is_old(std::string(value)))
                                         old.push_back(persistence::erased(table, std::string(key)));
                                       return true;
                                     });
    static_cast<void>(scanned);  // the next sweep tries again
  };
  collect(Table::sessions, [now](const std::string& value) {
    const auto session = persistence::decode_session(value);
    return session && session->expires_ms <= now;
  });
  collect(Table::tokens, [now](const std::string& value) {
    const auto token = persistence::decode_mail_token(value);
    return token && token->expires_ms <= now;
  });
  if (!old.empty())
    at_journal_.follow<bool>(
        *this, peers_.journal, [](bool) {}, [] {}, std::move(old));
  sweep_accounts();
  delayed_send(caf::actor_cast<Members>(this), kSweepEvery, sweep_atom::value);
}

void MembersActor::sweep_accounts() {
  const std::int64_t removal_ms = sign_in_.removal_days * kDay_ms;
  std::vector<persistence::Account> over;
  const auto scanned = store_.scan(
      Table::accounts, {}, persistence::Store::Order::ascending, {},
      [&](std::string_view, std::string_view value) {
        auto account = persistence::decode_account(std::string(value));
        if (!account) return true;
        if (account->closed_ms != 0)
          send(caf::actor_cast<Members>(this), erase_atom::value, account->id);
        else if (removal_ms > 0 && account->expires_ms != 0 && account->expires_ms + removal_ms <= clock_())
          over.push_back(std::move(*account));
        return true;
      });
  static_cast<void>(scanned);  // the next sweep tries again
  for (persistence::Account& account : over) close(std::move(account), {}, [](const MemberReply&) {});
}

}  // namespace actors
