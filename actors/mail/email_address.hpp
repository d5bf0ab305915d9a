// An e-mail address that mail can be sent to, as a person types it on a page. Stricter than `normal_email`
// (actors/accounts/email.hpp), which tells accounts apart; `key` is in its form.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace actors {

struct EmailAddress {
  std::string shown;    ///< as given, without spaces around; UTF-8
  std::string sending;  ///< the local part as given, the domain in small ASCII letters (RFC 5890: A-labels)
  std::string key;      ///< `sending` in small letters: two texts with one key mean one account
};

/// Nothing when the text is no address of RFC 5321 without quotes: at most 254 bytes, a local part of at most
/// 64 in ASCII, a domain of at least two labels. The domain may have letters of any language (IDNA 2008, UTS
/// #46), the local part may not, because many servers do not take it (RFC 6531). `a+b@` and `a@` are two
/// addresses. Whether mail arrives there is not checked.
std::optional<EmailAddress> email_address(std::string_view text);

}  // namespace actors
