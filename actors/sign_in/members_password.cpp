// Passwords: forgotten, replaced, proved.
#include "actors/sign_in/members.hpp"
#include "actors/sign_in/secret.hpp"
#include "persistence/keys.hpp"

namespace actors {

using persistence::Credentials;
using persistence::MailToken;
using persistence::Table;
using persistence::TokenPurpose;

namespace {

constexpr std::int64_t kPasswordLink_ms = kHour_ms;

}  // namespace

void MembersActor::prove(std::uint64_t account, const std::string& password, const Answerer& answer,
                         std::function<void(const Credentials&)> then) {
  const std::string who = "a " + std::to_string(account);
  if (const auto wait_s = guesses_.count(who, clock_()))
    return answer({.fault = MemberFault::too_many, .retry_after_s = wait_s});
  if (changing_.held(std::to_string(account)))
    return answer({.fault = MemberFault::busy, .retry_after_s = 1});
  const auto credentials = register_.credentials(account);
  if (!credentials) return answer({.fault = MemberFault::disk});
  if (!*credentials) return answer({.fault = MemberFault::wrong});
  with_verdict(CheckPassword{password, (*credentials)->password_hash}, answer,
               [this, who, answer, credentials = **credentials, epoch = epochs_[account], account,
                then = std::move(then)](const PasswordVerdict& verdict) {
                 if (!verdict.matches || epoch != epochs_[account])
                   return answer({.fault = MemberFault::wrong});
                 guesses_.forgive(who);
                 then(credentials);
               });
}

/// An address without an account costs a batch too, so that time tells nothing.
void MembersActor::carry(AskForNewPassword& order, const Answerer& answer) {
  const auto email = email_address(order.email);
  if (!email) return answer({.fault = MemberFault::no_email});
  if (const auto wait_s = sign_ups_.count(order.from, clock_()))
    return answer({.fault = MemberFault::too_many, .retry_after_s = wait_s});
  if (const auto wait_s = reset_mails_.count(email->key, clock_()))
    return answer({.fault = MemberFault::too_many, .retry_after_s = wait_s});
  if (const auto wait_s = all_mails_.count({}, clock_()))
    return answer({.fault = MemberFault::busy, .retry_after_s = wait_s});
  const auto account = register_.account_of(email->key);
  if (!account) return answer({.fault = MemberFault::disk});
  const auto credentials = register_.credentials(account->value_or(0));
  if (!credentials) return answer({.fault = MemberFault::disk});
  const std::int64_t password_set_ms = *credentials ? (*credentials)->password_set_ms : 0;
  persistence::Writes writes;
  const std::string page = write_token(MailToken{.purpose = TokenPurpose::new_password,
                                                 .expires_ms = *account ? clock_() + kPasswordLink_ms : 0,
                                                 .account = account->value_or(0),
                                                 .email_shown = email->shown,
                                                 .email_sending = email->sending,
                                                 .email_key = email->key,
                                                 .password_set_ms = password_set_ms},
                                       "/passwort/", writes);
  if (*account && !write_mail(email->sending, words_new_password(page), writes))
    return answer({.fault = MemberFault::disk});
  store_and_mail(std::move(writes), {}, answer);
}

void MembersActor::carry(SetNewPassword& order, const Answerer& answer) {
  const auto looked =
      register_.token(fingerprint_of_secret(order.token), TokenPurpose::new_password, clock_());
  if (looked && *looked)  // so that a password that is refused does not cost the link
    if (const auto fault = password_fault(order.password, (*looked)->email_key))
      return answer({.fault = MemberFault::unfit_password, .password = *fault});
  const auto spent = spend(order.token, TokenPurpose::new_password, answer);
  if (!spent) return;
  with_verdict(
      HashPassword{std::move(order.password)}, answer,
      [this, answer, spent = *spent, browser = std::move(order.browser)](const PasswordVerdict& verdict) {
        const MailToken& token = spent.token;
        // The address may have moved to another account since.
        const auto owner = register_.account_of(token.email_key);
        if (!owner) return answer({.fault = MemberFault::disk});
        if (*owner != token.account) return answer({.fault = MemberFault::dead_link});
        put_password({.account = token.account,
                      .hash = verdict.hash,
                      .email_shown = token.email_shown,
                      .email_sending = token.email_sending,
                      .kept_session = {},
                      .browser = browser},
                     {persistence::erased(Table::tokens, spent.fingerprint)}, {spent.hold}, answer);
      });
}

void MembersActor::carry(ChangePassword& order, const Answerer& answer) {
  const auto known = person(order.account);
  if (!known) return answer({.fault = MemberFault::disk});
  if (!*known) return answer({.fault = MemberFault::wrong});
  if (const auto fault = password_fault(order.new_password, (*known)->email))
    return answer({.fault = MemberFault::unfit_password, .password = *fault});
  prove(order.account, order.password, answer, [this, order, answer](const Credentials&) {
    with_verdict(HashPassword{order.new_password}, answer,
                 [this, order, answer](const PasswordVerdict& verdict) {
                   put_password({.account = order.account,
                                 .hash = verdict.hash,
                                 .email_shown = {},
                                 .email_sending = {},
                                 .kept_session = order.session,
                                 .browser = {}},
                                {}, {}, answer);
                 });
  });
}

/// All sessions end but the kept one. The owner is told by mail.
void MembersActor::put_password(const NewPassword& wanted, persistence::Writes writes,
                                std::vector<Hold> holds, const Answerer& answer) {
  holds.push_back(changing_.take(std::to_string(wanted.account)));
  if (wanted.hash.empty() || !holds.back()) return answer({.fault = MemberFault::busy, .retry_after_s = 1});
  const auto known = register_.credentials(wanted.account);
  ++epochs_[wanted.account];
  auto ends = end_sessions(wanted.account, wanted.kept_session);
  if (!known || !ends) return answer({.fault = MemberFault::disk});
  Credentials credentials = known->value_or(Credentials{{}, wanted.email_shown, wanted.email_sending, 0});
  credentials.password_hash = wanted.hash;
  credentials.password_set_ms = clock_();
  writes.insert(writes.end(), ends->writes.begin(), ends->writes.end());
  holds.insert(holds.end(), ends->holds.begin(), ends->holds.end());
  writes.push_back({Table::credentials, persistence::number_key(wanted.account), encode(credentials)});
  write_mail(credentials.email_sending, words_password_changed(link("/passwort"), link("/konto")), writes);
  people_.erase(wanted.account);
  if (!wanted.kept_session.empty()) return store_and_mail(std::move(writes), std::move(holds), answer);
  begin_session({.account = wanted.account, .browser = wanted.browser, .epoch = epochs_[wanted.account]},
                std::move(writes), std::move(holds), [this, answer](const MemberReply& reply) {
                  send(peers_.mailer, next_atom::value);
                  answer(reply);
                });
}

}  // namespace actors
