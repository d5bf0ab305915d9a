// Who has an account and who is signed in: the one actor that writes accounts' records, e-mail addresses,
// credentials and sessions. Its files: members.cpp (who asks what), members_sign_up.cpp, members_sign_in.cpp
// (sessions), members_password.cpp, members_passkey.cpp, members_email.cpp, members_account.cpp (made,
// granted, closed, erased).
//
// What somebody learns without being signed in never depends on whether an e-mail address has an account:
// neither the answer nor its time. The owner of the address learns it, by mail.
#pragma once
#include <caf/typed_event_based_actor.hpp>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "actors/clock.hpp"
#include "actors/mail/email_address.hpp"
#include "actors/measured.hpp"
#include "actors/messages.hpp"
#include "actors/open_requests.hpp"
#include "actors/options.hpp"
#include "actors/recent_cache.hpp"
#include "actors/sign_in/challenges.hpp"
#include "actors/sign_in/holds.hpp"
#include "actors/sign_in/mail_texts.hpp"
#include "actors/sign_in/member_register.hpp"
#include "actors/sign_in/options.hpp"
#include "actors/sign_in/tries.hpp"

namespace actors {

/// The actors that it works with.
struct MembersPeers {
  Journal journal;
  std::vector<Passwords> passwords;  ///< none: only operators' orders can be carried out
  Mailer mailer;
  std::vector<Accounts> accounts;  ///< all shards
  std::vector<Projects> projects;
};

class MembersActor : public Measured<Members::base> {
 public:
  MembersActor(caf::actor_config& config, persistence::Store& store, const ActorOptions& options,
               SignInOptions sign_in, Clock clock, MembersPeers peers, MetersPtr meters = private_meters());
  const char* name() const override { return "members"; }
  // Promises hold the actors that wait for them.
  void on_exit() override {
    peers_ = {};
    at_journal_.clear();
  }

 private:
  using Promise = caf::typed_response_promise<MemberReply>;
  using Answerer = std::function<void(MemberReply)>;

  behavior_type make_behavior() override;
  caf::result<MemberReply> handle(MemberOrder& order);

  /// A mail's link that one order has taken for itself alone.
  struct Spent {
    persistence::MailToken token;
    std::string fingerprint;
    Hold hold;
  };
  /// Nothing when the link is unknown, expired or in use: then the order has been answered, with `dead_link`
  /// or, for one in use, with `busy`.
  std::optional<Spent> spend(const std::string& token, persistence::TokenPurpose purpose,
                             const Answerer& answer);

  // Signing up (members_sign_up.cpp).
  void carry(SignUp& order, const Answerer& answer);
  void send_confirmation(const EmailAddress& email, const std::string& hash, const Answerer& answer);
  void carry(ConfirmSignUp& order, const Answerer& answer);
  void make_account(const Spent& spent, const std::string& browser, const Answerer& answer);

  // Sessions (members_sign_in.cpp).
  void carry(SignIn& order, const Answerer& answer);
  /// Counts a try of a password, by where it comes from and by whose it is: 0, or the seconds to wait. Who
  /// has used up his own tries uses up nobody else's.
  std::uint32_t count_guess(const std::string& whose, const std::string& from) {
    if (const auto wait_s = guesses_from_.count(from, clock_())) return wait_s;
    return guesses_.count(whose, clock_());
  }
  static constexpr std::int64_t kLongSession_ms = 30 * 24 * kHour_ms;
  static constexpr std::int64_t kShortSession_ms = 12 * kHour_ms;
  struct NewSession {
    std::uint64_t account = 0;
    std::string browser;
    std::int64_t lifetime_ms = 0;
    std::uint64_t epoch = 0;  ///< of the account when its password was checked
  };
  void begin_session(const NewSession& wanted, persistence::Writes writes, std::vector<Hold> holds,
                     const Answerer& answer);
  void carry(EndSessions& order, const Answerer& answer);
  /// Sessions that end: `holds` lock them at once, `writes` erase them on disk.
  struct Endings {
    persistence::Writes writes;
    std::vector<Hold> holds;
  };
  persistence::Stored<Endings> end_sessions(std::uint64_t account, const std::string& but);
  void end_session(std::uint64_t account, const std::string& fingerprint, Endings& endings);
  SessionState read(const ReadSession& order);
  persistence::Stored<persistence::Session*> session(std::uint64_t account, const std::string& fingerprint);
  void prolong(std::uint64_t account, const std::string& fingerprint, persistence::Session& session);
  persistence::Stored<const Person*> person(std::uint64_t account);
  SessionList list(const ListSessions& order);
  MailLink read(const ReadMailLink& order) const;

  // Passwords (members_password.cpp).
  void carry(AskForNewPassword& order, const Answerer& answer);
  void carry(SetNewPassword& order, const Answerer& answer);
  void carry(ChangePassword& order, const Answerer& answer);
  /// Whether the account's password is this one; `then` is called only if so.
  void prove(std::uint64_t account, const std::string& password, const Answerer& answer,
             std::function<void(const persistence::Credentials&)> then);
  struct NewPassword {
    std::uint64_t account = 0;
    std::string hash;
    std::string email_shown, email_sending;  ///< for an account that had no password
    std::string kept_session;                ///< fingerprint; empty: a new session begins
    std::string browser;
  };
  void put_password(const NewPassword& wanted, persistence::Writes writes, std::vector<Hold> holds,
                    const Answerer& answer);
  /// Asks one of the actors for passwords, unless too many wait for them.
  template <class Order>
  void with_verdict(Order order, const Answerer& answer, std::function<void(const PasswordVerdict&)> then) {
    constexpr std::size_t kLine = 50;
    constexpr std::uint32_t kBusyRetry_s = 5;
    if (passwords_waiting_ >= kLine || peers_.passwords.empty())
      return answer({.fault = MemberFault::busy, .retry_after_s = kBusyRetry_s});
    ++passwords_waiting_;
    request(peers_.passwords[password_turn_++ % peers_.passwords.size()], caf::infinite, std::move(order))
        .then(
            [this, then = std::move(then)](const PasswordVerdict& verdict) {
              --passwords_waiting_;
              then(verdict);
            },
            [](const caf::error&) {});  // it has ended, and so does the program
  }

  // Passkeys (members_passkey.cpp).
  void carry(SignInWithPasskey& order, const Answerer& answer);
  void carry(AddPasskey& order, const Answerer& answer);
  void carry(RemovePasskey& order, const Answerer& answer);
  void put_passkey(std::uint64_t account, const persistence::Passkey& passkey, const std::string& email,
                   const Answerer& answer);
  PasskeyChallenge read(const AskPasskeyChallenge& order);
  PasskeyList list(const ListPasskeys& order) const;

  // E-mail addresses (members_email.cpp).
  void carry(ChangeEmail& order, const Answerer& answer);
  void carry(ConfirmEmail& order, const Answerer& answer);

  // Accounts (members_account.cpp).
  caf::result<AdminReply> add(const AddAccount& order);
  caf::result<AdminReply> grant(const GrantAccount& order);
  tl::expected<std::uint64_t, std::string> named_in(const GrantAccount& order) const;
  void carry(CloseAccount& order, const Answerer& answer);
  void close(persistence::Account account, persistence::Writes writes, const Answerer& answer);
  void erase(std::uint64_t account);
  void erase_records(std::uint64_t account);
  void sweep();
  void sweep_accounts();
  persistence::Account new_account(std::uint64_t id, const std::string& email, const std::string& plan) const;

  /// Asks the journal; `then` makes the answer from whether the writes are on disk.
  void store(persistence::Writes writes, const Answerer& answer, std::function<MemberReply(bool)> then);
  /// The same; what is held is held until the journal has answered.
  void store(persistence::Writes writes, std::vector<Hold> holds, const Answerer& answer) {
    store(std::move(writes), answer, [holds = std::move(holds)](bool on_disk) {
      return MemberReply{.fault = on_disk ? MemberFault::none : MemberFault::disk};
    });
  }
  /// The same, and then the mailer looks into the outbox.
  void store_and_mail(persistence::Writes writes, std::vector<Hold> holds, const Answerer& answer);
  /// The account's shard reads its record anew before `then` is called.
  void tell_shard(std::uint64_t account, std::function<void()> then);
  /// A mail into the outbox, as a part of a batch; false when the store gives no number.
  bool write_mail(const std::string& to, const MailWords& words, persistence::Writes& writes);
  /// Makes a token and its link.
  std::string write_token(const persistence::MailToken& token, const char* page, persistence::Writes& writes);
  std::string link(const std::string& path) const { return sign_in_.web_url + path; }

  persistence::Store& store_;
  ActorOptions options_;
  SignInOptions sign_in_;
  Clock clock_;
  MembersPeers peers_;
  OpenRequests at_journal_;
  MemberRegister register_;
  Challenges challenges_;
  Tries sign_ups_, mails_, all_mails_;
  Tries email_changes_;  // by account, or one account could use up the mails of all
  Tries reset_mails_;    // their own count, or a stranger's sign-ups would keep an owner from a new password
  Tries guesses_, guesses_from_;  // of passwords: by e-mail address, by calling address
  RecentCache<std::string, persistence::Session> sessions_;  // by fingerprint
  RecentCache<std::uint64_t, Person> people_;
  Holds joining_;   // e-mail addresses that are getting an account
  Holds spending_;  // fingerprints of links that are being used
  Holds changing_;  // accounts whose record or credentials are being written
  Holds ending_;    // fingerprints of sessions that are being ended
  std::multimap<std::uint64_t, std::string> arriving_;  // sessions that are being stored
  std::map<std::uint64_t, std::uint64_t> epochs_;       // grows when an account's password is replaced
  std::size_t password_turn_ = 0;
  std::size_t passwords_waiting_ = 0;
};

}  // namespace actors
