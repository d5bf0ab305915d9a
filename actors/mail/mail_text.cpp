#include <sodium.h>
#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <iomanip>
#include <locale>
#include <sstream>
#include <string_view>

#include "actors/accounts/email.hpp"
#include "actors/mail/mail.hpp"

namespace actors {
namespace {

constexpr std::string_view kLineEnd = "\r\n";
// RFC 2047, 2: a line with an encoded word has at most 76 characters. "=?UTF-8?B??=" and "Subject: " take 21.
constexpr std::size_t kEncodedWordSizeMax_bytes = 39;
constexpr std::size_t kPlainFieldSizeMax_bytes = 60;  // longer ones are encoded words, which can be folded
constexpr std::size_t kQuotedLineSizeMax = 75;        // RFC 2045, 6.7: 76 with the = of a soft line end

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

/// Calls `see(character)` for each; false when the text is no UTF-8 or `see` returns false.
template <class See>
bool each_character(std::string_view text, const See& see) {
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  auto left = static_cast<utf8proc_ssize_t>(text.size());
  while (left > 0) {
    utf8proc_int32_t c = 0;
    const auto length = utf8proc_iterate(bytes, left, &c);
    if (length <= 0 || !see(c, length)) return false;
    bytes += length;
    left -= length;
  }
  return true;
}

bool is_utf8(std::string_view text) {
  return each_character(text, [](auto, auto) { return true; });
}

bool is_one_line(std::string_view text) {
  return each_character(text, [](utf8proc_int32_t c, auto) {
    const auto category = utf8proc_category(c);
    return category != UTF8PROC_CATEGORY_CC && category != UTF8PROC_CATEGORY_ZL &&
           category != UTF8PROC_CATEGORY_ZP;
  });
}

std::string base64(std::string_view bytes) {
  std::string text(sodium_base64_ENCODED_LEN(bytes.size(), sodium_base64_VARIANT_ORIGINAL), '\0');
  sodium_bin2base64(text.data(), text.size(), reinterpret_cast<const unsigned char*>(bytes.data()),
                    bytes.size(), sodium_base64_VARIANT_ORIGINAL);
  text.pop_back();  // the NUL
  return text;
}

/// RFC 2047, 2 and 5: no character is divided between two words.
std::string encoded_words(std::string_view text) {
  std::string out;
  std::size_t begin = 0, end = 0;
  const auto close = [&] {
    out += (out.empty() ? "=?UTF-8?B?" : "\r\n =?UTF-8?B?") + base64(text.substr(begin, end - begin)) + "?=";
    begin = end;
  };
  each_character(text, [&](auto, auto length) {
    if (end - begin + static_cast<std::size_t>(length) > kEncodedWordSizeMax_bytes) close();
    end += static_cast<std::size_t>(length);
    return true;
  });
  close();
  return out;
}

bool stands_as_it_is(std::string_view text) {
  return is_ascii(text) && text.size() <= kPlainFieldSizeMax_bytes &&
         text.find("=?") == std::string_view::npos;
}

/// RFC 5322, 3.4.
std::string written(const Mailbox& mailbox) {
  std::string address = "<" + mailbox.address + ">";
  if (mailbox.name.empty()) return address;
  if (!stands_as_it_is(mailbox.name)) return encoded_words(mailbox.name) + "\r\n " + address;
  std::string quoted;
  for (const char c : mailbox.name) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return "\"" + quoted + "\" " + address;
}

/// RFC 5322, 3.3, in English whatever the locale.
std::string date_field(std::int64_t time_ms) {
  const auto seconds = static_cast<std::time_t>(time_ms / 1'000);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out << std::put_time(&utc, "%a, %d %b %Y %H:%M:%S +0000");
  return out.str();
}

/// A byte as quoted-printable writes it; `last` of its line.
std::string quoted_byte(char c, bool last) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  const bool blank = c == ' ' || c == '\t';
  if ((c > ' ' && c < '\x7f' && c != '=') || (blank && !last)) return {c};
  const auto byte = static_cast<unsigned char>(c);
  return {'=', kHex[byte >> 4U], kHex[byte & 15U]};
}

std::string quoted_line(std::string_view line) {
  std::string out;
  std::size_t length = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::string piece = quoted_byte(line[i], i + 1 == line.size());
    if (length + piece.size() > kQuotedLineSizeMax) {
      (out += '=') += kLineEnd;
      length = 0;
    }
    out += piece;
    length += piece.size();
  }
  return out;
}

/// RFC 2045, 6.7. CR LF, LF and CR end a line.
std::string quoted_printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto end = std::min(text.find_first_of(kLineEnd), text.size());
    (out += quoted_line(text.substr(0, end))) += kLineEnd;
    text.remove_prefix(end);
    text.remove_prefix(text.starts_with(kLineEnd) ? 2 : text.empty() ? 0 : 1);
  }
  return out;
}

bool is_message_id(const std::string& id) {
  return !id.empty() && id.size() <= kPlainFieldSizeMax_bytes &&
         std::all_of(id.begin(), id.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                  c == '.' || c == '_';
         });
}

/// Empty when there is none.
std::string fault_of(const Mail& mail) {
  if (!is_message_id(mail.id)) return "the mail's id is not letters, digits, -, . and _";
  if (!is_plain_address(mail.from.address)) return "the sender has no e-mail address";
  if (!is_plain_address(mail.to.address)) return "the recipient has no e-mail address";
  for (const auto* line : {&mail.from.name, &mail.to.name, &mail.subject})
    if (!is_one_line(*line)) return "a name or the subject is not one line of UTF-8";
  if (!is_utf8(mail.text)) return "the text is not UTF-8";
  return {};
}

}  // namespace

bool is_plain_address(const std::string& address) {
  return is_ascii(address) && address.find(' ') == std::string::npos && normal_email(address);
}

tl::expected<std::string, std::string> mail_text(const Mail& mail) {
  if (std::string fault = fault_of(mail); !fault.empty()) return tl::make_unexpected(std::move(fault));
  const std::string host = mail.from.address.substr(mail.from.address.find('@') + 1);
  std::string out;
  const auto field = [&out](std::string_view name, std::string_view value) {
    ((((out += name) += ": ") += value) += kLineEnd);
  };
  field("Date", date_field(mail.written_ms));
  field("From", written(mail.from));
  field("To", written(mail.to));
  field("Message-ID", "<" + mail.id + "@" + host + ">");
  field("Subject", stands_as_it_is(mail.subject) ? mail.subject : encoded_words(mail.subject));
  field("Auto-Submitted", "auto-generated");
  field("MIME-Version", "1.0");
  field("Content-Type", "text/plain; charset=utf-8");
  field("Content-Transfer-Encoding", "quoted-printable");
  (out += kLineEnd) += quoted_printable(mail.text);
  return out;
}

}  // namespace actors
