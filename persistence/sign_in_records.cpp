// The records of the web application: how people sign in, and what they are sent.
#include "persistence/record_bytes.hpp"
#include "persistence/records.hpp"
#include "persistence/records.pb.h"

namespace persistence {

using record_bytes::blank;
using record_bytes::bytes_of;
using record_bytes::parsed;

std::string encode(const KeyUse& use) {
  auto& m = blank<proto::KeyUse>();
  m.set_last_ms(use.last_ms);
  for (const KeyUse::Day& day : use.days) {
    m.add_days(day.day);
    m.add_requests(day.requests);
  }
  return bytes_of(m);
}

std::optional<KeyUse> decode_key_use(const std::string& bytes) {
  const auto m = parsed<proto::KeyUse>(bytes);
  if (!m || m->days_size() != m->requests_size()) return {};
  KeyUse use{.last_ms = m->last_ms()};
  for (int i = 0; i < m->days_size(); ++i) use.days.push_back({m->days(i), m->requests(i)});
  return use;
}

std::string encode(const Credentials& credentials) {
  auto& m = blank<proto::Credentials>();
  m.set_password_hash(credentials.password_hash);
  m.set_email_shown(credentials.email_shown);
  m.set_email_sending(credentials.email_sending);
  m.set_password_set_ms(credentials.password_set_ms);
  return bytes_of(m);
}

std::optional<Credentials> decode_credentials(const std::string& bytes) {
  const auto m = parsed<proto::Credentials>(bytes);
  if (!m) return {};
  return Credentials{m->password_hash(), m->email_shown(), m->email_sending(), m->password_set_ms()};
}

std::string encode(const Session& session) {
  auto& m = blank<proto::Session>();
  m.set_signed_in_ms(session.signed_in_ms);
  m.set_used_ms(session.used_ms);
  m.set_expires_ms(session.expires_ms);
  m.set_lifetime_ms(session.lifetime_ms);
  m.set_browser(session.browser);
  return bytes_of(m);
}

std::optional<Session> decode_session(const std::string& bytes) {
  const auto m = parsed<proto::Session>(bytes);
  if (!m) return {};
  return Session{m->signed_in_ms(), m->used_ms(), m->expires_ms(), m->lifetime_ms(), m->browser()};
}

std::string encode(const Passkey& passkey) {
  auto& m = blank<proto::Passkey>();
  m.set_credential_id(passkey.credential_id);
  m.set_public_key_spki(passkey.public_key_spki);
  m.set_counter(passkey.counter);
  m.set_name(passkey.name);
  m.set_created_ms(passkey.created_ms);
  m.set_used_ms(passkey.used_ms);
  return bytes_of(m);
}

std::optional<Passkey> decode_passkey(const std::string& bytes) {
  const auto m = parsed<proto::Passkey>(bytes);
  if (!m) return {};
  return Passkey{m->credential_id(), m->public_key_spki(), m->counter(),
                 m->name(),          m->created_ms(),      m->used_ms()};
}

std::string encode(const MailToken& token) {
  auto& m = blank<proto::MailToken>();
  m.set_purpose(static_cast<proto::MailToken::Purpose>(token.purpose));
  m.set_expires_ms(token.expires_ms);
  m.set_account(token.account);
  m.set_email_shown(token.email_shown);
  m.set_email_sending(token.email_sending);
  m.set_email_key(token.email_key);
  m.set_password_hash(token.password_hash);
  m.set_password_set_ms(token.password_set_ms);
  return bytes_of(m);
}

std::optional<MailToken> decode_mail_token(const std::string& bytes) {
  const auto m = parsed<proto::MailToken>(bytes);
  if (!m || !proto::MailToken::Purpose_IsValid(m->purpose())) return {};
  return MailToken{static_cast<TokenPurpose>(m->purpose()),
                   m->expires_ms(),
                   m->account(),
                   m->email_shown(),
                   m->email_sending(),
                   m->email_key(),
                   m->password_hash(),
                   m->password_set_ms()};
}

std::string encode(const OutgoingMail& mail) {
  auto& m = blank<proto::OutgoingMail>();
  m.set_to(mail.to);
  m.set_subject(mail.subject);
  m.set_text(mail.text);
  m.set_written_ms(mail.written_ms);
  m.set_next_ms(mail.next_ms);
  m.set_attempts(mail.attempts);
  return bytes_of(m);
}

std::optional<OutgoingMail> decode_outgoing_mail(const std::string& bytes) {
  const auto m = parsed<proto::OutgoingMail>(bytes);
  if (!m) return {};
  return OutgoingMail{m->to(), m->subject(), m->text(), m->written_ms(), m->next_ms(), m->attempts()};
}

}  // namespace persistence
