// What a browser sends besides the path: a form's body, a cookie, where to go after the sign-in, a passkey.
// The input is taken for each of them.
#include <simdjson.h>

#include <cstdlib>

#include "actors/sign_in/passkey.hpp"
#include "http/web/cookie.hpp"
#include "http/web/form_fields.hpp"
#include "http/web/origin_check.hpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void try_form(const std::string& text) {
  http::Request request;
  request.method = "POST";
  request.headers = {{"content-type", "application/x-www-form-urlencoded"}};
  request.body = text;
  const auto form = http::FormFields::read(request);
  if (!form) return;
  require(form->size() <= http::FormLimits().fields);
  for (const char* name : {"email", "passwort", "name", "weiter"}) {
    const auto value = form->value(name);
    if (!value) continue;
    require(value->size() <= http::FormLimits().value_bytes &&
            simdjson::validate_utf8(value->data(), value->size()));
    for (const char c : *value) require(static_cast<unsigned char>(c) >= ' ' && c != '\x7F');
  }
}

void try_cookie(const std::string& text) {
  http::Request request;
  request.headers = {{"cookie", text}};
  for (const bool secure : {true, false})
    if (const auto id = http::session_id_of(request, {.secure = secure})) require(http::is_session_id(*id));
}

/// A browser takes a backslash for a slash, leaves out line ends and tabs, and goes elsewhere with "//".
void try_return_path(const std::string& text) {
  if (!http::is_return_path(text)) return;
  require(text.size() <= http::kReturnPathMax && text.front() == '/' && !text.starts_with("//"));
  require(text.find_first_of("\\\r\n\t") == std::string::npos);
}

void try_passkey(const std::string& text) {
  const std::string_view all = text, half = all.substr(0, all.size() / 2), rest = all.substr(all.size() / 2);
  const actors::PasskeyExpectation expected{"challenge", "https://dach.example", "dach.example"};
  // Nobody can sign for a key that is not his.
  require(
      !actors::verify_assertion({half, rest, all}, actors::Passkey{"id", std::string(rest), 0}, expected));
  const auto made = actors::verify_registration({half, rest, all}, expected);
  require(!made || (!made->credential_id.empty() && made->credential_id.size() <= 1023));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try_form(text);
  try_cookie(text);
  try_return_path(text);
  try_passkey(text);
  return 0;
}
