// Signing up: a mail first, the account by the password on its page.
#include "actors/sign_in/members.hpp"
#include "actors/sign_in/secret.hpp"
#include "persistence/keys.hpp"

namespace actors {

using persistence::MailToken;
using persistence::Table;
using persistence::TokenPurpose;

namespace {

constexpr std::int64_t kSignUpLink_ms = 24 * kHour_ms;

}  // namespace

void MembersActor::carry(SignUp& order, const Answerer& answer) {
  if (!sign_in_.open) return answer({.fault = MemberFault::not_open});
  const auto email = email_address(order.email);
  if (!email) return answer({.fault = MemberFault::no_email});
  if (const auto fault = password_fault(order.password, email->key))
    return answer({.fault = MemberFault::unfit_password, .password = *fault});
  if (const auto wait_s = sign_ups_.count(order.from, clock_()))
    return answer({.fault = MemberFault::too_many, .retry_after_s = wait_s});
  // Before the hash, which is expensive. Neither count depends on whether the address has an account.
  if (const auto wait_s = mails_.count(email->key, clock_()))  // nobody's mailbox is flooded
    return answer({.fault = MemberFault::too_many, .retry_after_s = wait_s});
  if (const auto wait_s = all_mails_.count({}, clock_()))
    return answer({.fault = MemberFault::busy, .retry_after_s = wait_s});
  with_verdict(HashPassword{std::move(order.password)}, answer,
               [this, email = *email, answer](const PasswordVerdict& verdict) {
                 send_confirmation(email, verdict.hash, answer);
               });
}

/// Known or not, one batch goes to the disk and one mail to the address. For a known address the link's token
/// is stored as expired, so that both take the same work.
void MembersActor::send_confirmation(const EmailAddress& email, const std::string& hash,
                                     const Answerer& answer) {
  if (hash.empty()) return answer({.fault = MemberFault::busy});
  const auto known = register_.account_of(email.key);
  if (!known) return answer({.fault = MemberFault::disk});
  persistence::Writes writes;
  const std::string confirm = write_token(MailToken{.purpose = TokenPurpose::sign_up,
                                                    .expires_ms = *known ? 0 : clock_() + kSignUpLink_ms,
                                                    .email_shown = email.shown,
                                                    .email_sending = email.sending,
                                                    .email_key = email.key,
                                                    .password_hash = hash},
                                          "/bestaetigen/", writes);
  const MailWords words =
      *known ? words_account_exists(link("/anmelden"), link("/passwort")) : words_to_confirm(confirm);
  if (!write_mail(email.sending, words, writes)) return answer({.fault = MemberFault::disk});
  store_and_mail(std::move(writes), {}, answer);
}

void MembersActor::carry(ConfirmSignUp& order, const Answerer& answer) {
  const auto spent = spend(order.token, TokenPurpose::sign_up, answer);
  if (!spent) return;
  const std::string guessed = "t " + spent->fingerprint;
  if (const auto wait_s = count_guess(guessed, order.from))
    return answer({.fault = MemberFault::too_many, .retry_after_s = wait_s});
  with_verdict(CheckPassword{std::move(order.password), spent->token.password_hash}, answer,
               [this, spent = *spent, guessed, browser = std::move(order.browser),
                answer](const PasswordVerdict& verdict) {
                 if (!verdict.matches) return answer({.fault = MemberFault::wrong});
                 guesses_.forgive(guessed);
                 make_account(spent, browser, answer);
               });
}

void MembersActor::make_account(const Spent& spent, const std::string& browser, const Answerer& answer) {
  const MailToken& token = spent.token;
  const auto known = register_.account_of(token.email_key);
  const auto id = store_.next_id("account");
  if (!known || !id) return answer({.fault = MemberFault::disk});
  Hold joining = joining_.take(token.email_key);
  if (*known) return answer({.fault = MemberFault::dead_link});
  if (!joining) return answer({.fault = MemberFault::busy, .retry_after_s = 1});
  const persistence::Credentials credentials{token.password_hash, token.email_shown, token.email_sending,
                                             clock_()};
  const std::string key = persistence::number_key(*id);
  begin_session({.account = *id, .browser = browser, .epoch = epochs_[*id]},
                {{Table::accounts, key, encode(new_account(*id, token.email_key, "test"))},
                 {Table::emails, token.email_key, key},
                 {Table::credentials, key, encode(credentials)},
                 persistence::erased(Table::tokens, spent.fingerprint)},
                {joining, spent.hold}, answer);
}

}  // namespace actors
