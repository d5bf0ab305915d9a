// What operators set for the web application's accounts and mail.
#pragma once
#include <cstdint>
#include <string>

#include "actors/mail/mail.hpp"
#include "actors/mail/smtp.hpp"
#include "actors/sign_in/password.hpp"

namespace actors {

struct SignInOptions {
  bool open = true;     ///< whether new accounts are taken
  std::string web_url;  ///< the pages' address, for links in mails; without a slash at the end
  /// The pages' origin and its host, for passkeys; empty: there are none, as at an address without a name.
  std::string passkey_origin, passkey_host;
  Mailbox sender{"Dachanalyse", "dachanalyse@localhost"};
  SmtpOptions smtp;           ///< without a url mails become files
  std::string outbox_folder;  ///< where these go
  PasswordCost cost;
  std::uint32_t hashers = 1;        ///< threads that check passwords; a check needs a whole core
  std::uint32_t removal_days = 60;  ///< after a test account's end, until it is erased; 0 is never
};

}  // namespace actors
