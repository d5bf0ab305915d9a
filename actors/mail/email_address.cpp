#include "actors/mail/email_address.hpp"

#include <idn2.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "actors/accounts/email.hpp"

namespace actors {
namespace {

constexpr std::size_t kLocalPartSizeMax_bytes = 64;  // RFC 5321, 4.5.3.1.1
constexpr std::size_t kLabelSizeMax_bytes = 63;      // RFC 1035, 2.3.4

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// RFC 5322, 3.2.3: atext.
bool is_atom_character(char c) {
  constexpr std::string_view kSigns = "!#$%&'*+-/=?^_`{|}~";
  return is_ascii_letter(c) || is_digit(c) || kSigns.find(c) != std::string_view::npos;
}

/// Whether each part between dots is fit; no part of `text` is empty then, if `fits` refuses that.
template <class Fits>
bool all_parts(std::string_view text, const Fits& fits) {
  for (;;) {
    const auto dot = text.find('.');
    if (!fits(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

bool is_local_part(std::string_view text) {
  return text.size() <= kLocalPartSizeMax_bytes && all_parts(text, [](std::string_view atom) {
           return !atom.empty() && std::all_of(atom.begin(), atom.end(), is_atom_character);
         });
}

bool is_label(std::string_view label) {
  const auto fits = [](char c) { return is_ascii_letter(c) || is_digit(c) || c == '-'; };
  return !label.empty() && label.size() <= kLabelSizeMax_bytes && label.front() != '-' &&
         label.back() != '-' && std::all_of(label.begin(), label.end(), fits);
}

/// A last label without a letter would be an IPv4 address.
bool is_domain(std::string_view domain) {
  const auto dot = domain.rfind('.');
  if (dot == std::string_view::npos || !all_parts(domain, is_label)) return false;
  return std::any_of(domain.begin() + static_cast<std::ptrdiff_t>(dot), domain.end(), is_ascii_letter);
}

struct IdnFree {
  void operator()(std::uint8_t* text) const { idn2_free(text); }
};

/// In ASCII; empty when it is no domain. One that is ASCII stays: IDNA refuses some that exist. Not left to
/// libcurl, which reads domains in the locale's encoding, and that is not UTF-8 in a service.
std::string ascii_domain(const std::string& domain) {
  if (std::all_of(domain.begin(), domain.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }))
    return domain;
  std::uint8_t* found = nullptr;
  const int fault = idn2_lookup_u8(reinterpret_cast<const std::uint8_t*>(domain.c_str()), &found,
                                   IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL);
  const std::unique_ptr<std::uint8_t, IdnFree> owner(found);
  return fault == IDN2_OK ? reinterpret_cast<const char*>(found) : "";
}

}  // namespace

std::optional<EmailAddress> email_address(std::string_view text) {
  if (!normal_email(text)) return {};
  EmailAddress address{.shown = std::string(without_spaces_around(text))};
  const auto at = address.shown.find('@');
  const std::string local = address.shown.substr(0, at);
  const std::string domain = ascii_domain(address.shown.substr(at + 1));
  if (!is_local_part(local) || !is_domain(domain)) return {};
  address.key = normal_email(local + "@" + domain).value_or("");
  if (address.key.empty()) return {};
  address.sending = local + address.key.substr(local.size());
  return address;
}

}  // namespace actors
