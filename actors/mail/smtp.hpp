// Sends one mail to an SMTP server (RFC 5321) with libcurl, bounded in time. It keeps nothing: whoever calls
// it repeats what may be repeated.
#pragma once
#include <chrono>
#include <string>

#include "actors/mail/mail.hpp"

namespace actors {

enum class Starttls {
  none,
  if_offered,  ///< but required as soon as there is a password to protect; no help against an attacker
  required,
};

struct SmtpOptions {
  /// smtp://HOST:PORT, or smtps:// for TLS from the first byte; a /NAME behind it is what EHLO says,
  /// otherwise the machine's name.
  std::string url;
  Starttls starttls = Starttls::required;  ///< no meaning with smtps
  std::string user;                        ///< empty: no sign-in
  std::string password;
  std::string ca_file;  ///< PEM, instead of the system's certificate authorities; empty: the system's
  std::chrono::milliseconds connect_timeout{10'000};  ///< until the server greets and TLS stands
  std::chrono::milliseconds timeout{60'000};          ///< in all; saying goodbye may take as long again
};

struct Delivery {
  enum class Kind {
    accepted,  ///< the server is answerable for it now
    refused,   ///< for good: this recipient or this mail, or it is no mail at all
    later,     ///< everything else: network, TLS, sign-in, 4xx, and 5xx that is not about this mail
  };
  Kind kind = Kind::later;
  /// The server's or else libcurl's, for the log: one line of ASCII, without the password.
  std::string words;
};

/// Blocks. A connection that breaks after the mail was sent and before the answer is `later`: the recipient
/// may then get it twice, with one Message-ID.
Delivery send_mail(const Mail& mail, const SmtpOptions& options);

}  // namespace actors
