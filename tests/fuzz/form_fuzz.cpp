// What a browser sends besides the path: a form's body, a cookie, where to go after the sign-in, a passkey;
// and where a form's text goes: into a mail and a line of the log. The input is taken for each of them.
#include <simdjson.h>

#include <cstdlib>

#include "actors/log.hpp"
#include "actors/mail/email_address.hpp"
#include "actors/mail/mail.hpp"
#include "actors/sign_in/passkey.hpp"
#include "actors/sign_in/passkey_key.hpp"
#include "actors/sign_in/secret.hpp"
#include "http/web/cookie.hpp"
#include "http/web/form_fields.hpp"
#include "http/web/origin_check.hpp"

namespace {

using namespace std::string_literals;

constexpr std::size_t kEncodedSize_bytes = 3;  // of a byte as %41

void require(bool holds) {
  if (!holds) std::abort();
}

void require_plain_line(std::string_view text) {
  for (const char c : text) require(static_cast<unsigned char>(c) >= ' ' && c != '\x7F');
}

std::string encoded(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    ((out += '%') += kHex[byte >> 4U]) += kHex[byte & 15U];
  }
  return out;
}

auto read_form(const std::string& body) {
  http::Request request;
  request.method = "POST";
  request.headers = {{"content-type", "application/x-www-form-urlencoded"}};
  request.body = body;
  return http::FormFields::read(request);
}

/// Written again and read again, a form is the same.
void try_form(const std::string& text) {
  const auto form = read_form(text);
  if (!form) return;
  http::Request decoded;
  http::read_target("/?" + text, decoded);
  require(form->size() == decoded.query.size() && form->size() <= http::FormLimits().fields);
  std::string again;
  for (const auto& [name, value] : decoded.query) {
    require(form->value(name) == value && value.size() <= http::FormLimits().value_bytes);
    for (const std::string& field : {name, value}) {
      require(simdjson::validate_utf8(field));
      require_plain_line(field);
      // C1, by which a terminal can be commanded.
      for (char c = '\x80'; c < '\xa0'; ++c) require(field.find("\xc2"s + c) == std::string::npos);
    }
    again += encoded(name) + "=" + encoded(value) + "&";
  }
  if (!again.empty()) again.pop_back();
  if (again.size() > http::FormLimits().body_bytes) return;
  const auto read_again = read_form(again);
  require(read_again && read_again->size() == form->size());
  for (const auto& [name, value] : decoded.query) require(read_again->value(name) == value);
}

/// A text that a form may hold comes out as it was typed.
void try_typed(const std::string& text) {
  if (text.size() * kEncodedSize_bytes + 2 > http::FormLimits().body_bytes) return;
  const auto form = read_form("a=" + encoded(text));
  require(!form || form->value("a") == text);
}

std::string only_header(const std::string& set_cookie) { return set_cookie.substr(0, set_cookie.find(';')); }

http::Request with_cookie(const std::string& text) {
  http::Request request;
  request.headers = {{"cookie", text}};
  return request;
}

/// What a request's cookie says is what was set, and can be set again.
void try_cookie(const std::string& text) {
  for (const bool secure : {true, false}) {
    const http::SessionCookieOptions options{.secure = secure};
    const http::Request request = with_cookie(text);
    if (const auto id = http::session_id_of(request, options)) {
      require(http::is_session_id(*id) && http::has_session_cookie(request, options));
      const std::string set = http::set_session_cookie(*id, std::chrono::hours(1), options);
      require_plain_line(set);
      require(http::session_id_of(with_cookie(only_header(set)), options) == *id);
    }
    for (const auto& way : {http::way_of(request, options), std::optional<std::string>(text)}) {
      const auto set = way ? http::set_way_cookie(*way, std::chrono::hours(1), options) : std::nullopt;
      if (!set) continue;
      require_plain_line(*set);
      require(http::way_of(with_cookie(only_header(*set)), options) == *way);
    }
  }
}

/// A browser takes a backslash for a slash, leaves out line ends and tabs, and goes elsewhere with "//".
void try_return_path(const std::string& text) {
  if (!http::is_return_path(text)) return;
  require(text.size() <= http::kReturnPathMax && text.front() == '/' && !text.starts_with("//"));
  require(text.find('\\') == std::string::npos);
  require_plain_line(text);  // it stands in Location
}

/// Whatever a field holds, the header has its own fields and no other.
void require_whole_mail(const actors::Mail& mail) {
  const auto written = actors::mail_text(mail);
  if (!written) return;
  const auto header_end = written->find("\r\n\r\n");
  require(header_end != std::string::npos);
  std::string names;
  for (std::size_t at = 0; at < written->size();) {
    const auto end = written->find("\r\n", at);
    require(end != std::string::npos);
    const std::string line = written->substr(at, end - at);
    for (const char c : line) require((c >= ' ' && c < '\x7F') || c == '\t');
    if (at <= header_end && !line.empty() && line.front() != ' ')
      names += line.substr(0, line.find(':')) + " ";
    at = end + 2;
  }
  require(names ==
          "Date From To Message-ID Subject Auto-Submitted MIME-Version Content-Type "
          "Content-Transfer-Encoding ");
}

void try_mail(const std::string& text) {
  const actors::Mail mail{.id = "1.2",
                          .from = {"Dachanalyse", "post@dach.example"},
                          .to = {"", "anna@example.org"},
                          .subject = "Guten Tag",
                          .text = text};
  require_whole_mail(mail);
  actors::Mail with_subject = mail, with_name = mail, with_address = mail;
  with_subject.subject = text;
  with_name.to.name = text;
  with_address.to.address = text;
  for (const actors::Mail& one : {with_subject, with_name, with_address}) require_whole_mail(one);
  const auto address = actors::email_address(text);
  if (!address) return;
  require(actors::is_plain_address(address->sending) && actors::is_plain_address(address->key));
  require(address->sending.find_first_of("<>,;:\"()[]\\ \r\n") == std::string::npos);
  require_plain_line(address->shown);
  // Two ways to write it are one account.
  for (const std::string& way : {address->sending, address->shown, address->key}) {
    const auto again = actors::email_address(way);
    require(again && again->key == address->key);
  }
}

void try_log(const std::string& text) {
  require_plain_line(actors::LogLine("tried").field("text", text).text());
}

constexpr auto kChallenge = "challenge";
const actors::PasskeyExpectation kExpected{kChallenge, "https://dach.example", "dach.example"};

std::string client_data(const std::string& type) {
  return R"({"type":")" + type + R"(","challenge":")" + actors::base64url(kChallenge) +
         R"(","origin":"https://dach.example"})";
}

std::string head(char flags) {
  return actors::fingerprint_of_secret("dach.example") + flags + std::string(4, '\0');
}

/// Nobody can sign for a key that is not his.
void require_signs_nothing(const std::string& spki, const std::string& signature) {
  require(!actors::verify_assertion({client_data("webauthn.get"), head('\x05'), signature}, {"id", spki, 0},
                                    kExpected));
}

/// A key has one form as SPKI and one as COSE; what stands beside them is refused.
void try_key(const std::string& spki) {
  const auto key = actors::passkey_key_of(spki);
  require_signs_nothing(spki, spki);
  if (!key) return;
  require(!actors::passkey_key_of(spki + "x") && !actors::passkey_key_of(spki.substr(1)));
  const std::string cose = actors::cose_of(key, spki);
  const std::string json = client_data("webauthn.create");
  const std::string begin = head('\x45') + std::string(16, '\0') + "\0\2id"s;
  const auto made = actors::verify_registration({json, begin + cose, spki}, kExpected);
  require(made && made->credential_id == "id" && made->public_key_spki == spki);
  std::string changed = cose;
  changed[spki.back() % cose.size()] ^= 1;
  for (const std::string& wrong : {changed, cose + "\0"s, cose.substr(1), cose.substr(0, cose.size() - 1)})
    require(!actors::verify_registration({json, begin + wrong, spki}, kExpected));
}

/// Two bytes say how long the key is that the browser hands over; then it comes, then the credential.
void try_credential(const std::string& text) {
  if (text.size() < 2) return;
  const std::size_t length = static_cast<unsigned char>(text[0]) << 8U | static_cast<unsigned char>(text[1]);
  const std::string spki = text.substr(2, length), rest = text.substr(std::min(text.size(), 2 + length));
  try_key(spki);
  const std::string json = client_data("webauthn.create");
  for (const char flags : {'\x45', '\xc5'}) {
    const std::string data = head(flags) + std::string(16, '\0') + rest;
    const auto made = actors::verify_registration({json, data, spki}, kExpected);
    if (!made) continue;
    const auto key = actors::passkey_key_of(made->public_key_spki);
    require(made->public_key_spki == spki && key);
    require(!made->credential_id.empty() && made->credential_id.size() <= 1023);
    require(rest.substr(2).starts_with(made->credential_id + actors::cose_of(key, spki)));
    require_signs_nothing(spki, rest);
  }
}

/// All of it is whatever somebody sends.
void try_passkey(const std::string& text) {
  const std::string_view all = text, half = all.substr(0, all.size() / 2), rest = all.substr(all.size() / 2);
  require(
      !actors::verify_assertion({half, rest, all}, actors::Passkey{"id", std::string(rest), 0}, kExpected));
  require(!actors::verify_registration({half, rest, all}, kExpected));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try_form(text);
  try_typed(text);
  try_cookie(text);
  try_return_path(text);
  try_mail(text);
  try_log(text);
  try_key(text);
  try_credential(text);
  try_passkey(text);
  return 0;
}
