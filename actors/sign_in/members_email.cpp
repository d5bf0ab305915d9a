// Another e-mail address for an account.
#include "actors/sign_in/members.hpp"
#include "persistence/keys.hpp"

namespace actors {

using persistence::MailToken;
using persistence::Table;
using persistence::TokenPurpose;

namespace {

constexpr std::int64_t kEmailLink_ms = 24 * kHour_ms;

}  // namespace

/// An address that has an account already gets no link that works, and its owner is told why.
void MembersActor::carry(ChangeEmail& order, const Answerer& answer) {
  const auto email = email_address(order.email);
  if (!email) return answer({.fault = MemberFault::no_email});
  prove(order.account, order.password, answer,
        [this, account = order.account, email = *email, answer](const persistence::Credentials& credentials) {
          if (const auto wait_s = email_changes_.count(std::to_string(account), clock_()))
            return answer({.fault = MemberFault::too_many, .retry_after_s = wait_s});
          if (mails_.count(email.key, clock_()) != 0 || all_mails_.count({}, clock_()) != 0)
            return answer({.fault = MemberFault::too_many, .retry_after_s = 3600});
          const auto taken = register_.account_of(email.key);
          if (!taken) return answer({.fault = MemberFault::disk});
          persistence::Writes writes;
          const std::string confirm =
              write_token(MailToken{.purpose = TokenPurpose::new_email,
                                    .expires_ms = *taken ? 0 : clock_() + kEmailLink_ms,
                                    .account = account,
                                    .email_shown = email.shown,
                                    .email_sending = email.sending,
                                    .email_key = email.key,
                                    .password_set_ms = credentials.password_set_ms},
                          "/konto/email/", writes);
          const MailWords words = *taken ? words_account_exists(link("/anmelden"), link("/passwort"))
                                         : words_confirm_new_email(confirm);
          if (!write_mail(email.sending, words, writes) ||
              !write_mail(credentials.email_sending, words_email_changes(email.shown), writes))
            return answer({.fault = MemberFault::disk});
          store_and_mail(std::move(writes), {}, answer);
        });
}

void MembersActor::carry(ConfirmEmail& order, const Answerer& answer) {
  const auto spent = spend(order.token, TokenPurpose::new_email, answer);
  if (!spent) return;
  const MailToken& token = spent->token;
  Hold joining = joining_.take(token.email_key);
  Hold changing = changing_.take(std::to_string(token.account));
  if (!joining || !changing) return answer({.fault = MemberFault::busy, .retry_after_s = 1});
  const auto taken = register_.account_of(token.email_key);
  auto account = register_.account(token.account);
  auto credentials = register_.credentials(token.account);
  if (!taken || !account || !credentials) return answer({.fault = MemberFault::disk});
  if (*taken || !*account || (*account)->closed_ms != 0 || !*credentials)
    return answer({.fault = MemberFault::dead_link});
  persistence::Writes writes{persistence::erased(Table::tokens, spent->fingerprint),
                             persistence::erased(Table::emails, (*account)->email),
                             {Table::emails, token.email_key, persistence::number_key(token.account)}};
  // Whoever owns the old address may not have asked for this.
  if (!write_mail((*credentials)->email_sending, words_email_changed(token.email_shown), writes))
    return answer({.fault = MemberFault::disk});
  (*account)->email = token.email_key;
  (*credentials)->email_shown = token.email_shown;
  (*credentials)->email_sending = token.email_sending;
  writes.push_back({Table::accounts, persistence::number_key(token.account), encode(**account)});
  writes.push_back({Table::credentials, persistence::number_key(token.account), encode(**credentials)});
  const Answerer told = [this, answer, id = token.account](const MemberReply& reply) {
    tell_shard(id, [answer, reply] { answer(reply); });
  };
  store_and_mail(std::move(writes), {joining, changing, spent->hold}, told);
}

}  // namespace actors
