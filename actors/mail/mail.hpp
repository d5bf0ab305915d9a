// A mail that the service writes: plain text to one person. `mail_text` makes the bytes that an SMTP server
// takes and that a mail program opens as a file (.eml); smtp.hpp sends it.
#pragma once
#include <cstdint>
#include <string>
#include <tl/expected.hpp>

namespace actors {

struct Mailbox {
  std::string name;     ///< UTF-8; empty: the address alone
  std::string address;  ///< ASCII, as `EmailAddress::sending`
};

struct Mail {
  /// Letters, digits, -, . and _; the same for every attempt, so that a mail sent twice is one mail.
  std::string id;
  std::int64_t written_ms = 0;  ///< since 1970, UTC
  Mailbox from;
  Mailbox to;
  std::string subject;  ///< UTF-8, one line
  std::string text;     ///< UTF-8; its lines may end as they like
};

/// The message of RFC 5322 in ASCII, lines of at most 78 characters unless a name or an address is longer,
/// ended by CR LF: header fields with RFC 2047's encoded words, the text as quoted-printable. It says that no
/// person wrote it (RFC 3834), so that no holiday note comes back. The error is a sentence: a control
/// character outside the text (whereby a line of the header could be smuggled in), no UTF-8, or no address.
tl::expected<std::string, std::string> mail_text(const Mail& mail);

/// Whether this can stand in a header field and in an SMTP command: NAME@HOST in ASCII without spaces and
/// without < > and the like. HOST may be one word, as in a network of one's own.
bool is_plain_address(const std::string& address);

}  // namespace actors
