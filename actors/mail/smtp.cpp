#include "actors/mail/smtp.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string_view>

namespace actors {
namespace {

constexpr std::size_t kWordsSizeMax_bytes = 500;

struct SmtpHandleCloser {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
struct RecipientsCloser {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

/// What was said last before the goodbye. Nothing of a command is kept but its verb, and of a sign-in nothing
/// but that: it may be the password.
struct Conversation {
  std::string verb;   ///< RCPT; DATA also while the message itself is sent, AUTH until the sign-in is over
  std::string reply;  ///< all lines of the last one
  bool reply_is_whole = true;
  bool is_over = false;

  void sent(std::string_view command) {
    const auto word = command.substr(0, command.find_first_of(" \r\n"));
    is_over = is_over || word == "QUIT";
    if (is_over) return;
    if (verb != "AUTH" || word == "MAIL") verb = word;
    reply.clear();
  }
  void heard(std::string_view line) {
    if (is_over) return;
    if (reply_is_whole) reply.clear();
    reply_is_whole = line.size() < 4 || line[3] != '-';
    if (reply.size() < kWordsSizeMax_bytes) reply += line;
  }
};

int hear(CURL*, curl_infotype type, char* bytes, std::size_t size, void* target) {
  auto& conversation = *static_cast<Conversation*>(target);
  if (type == CURLINFO_HEADER_OUT) conversation.sent({bytes, size});
  if (type == CURLINFO_HEADER_IN) conversation.heard({bytes, size});
  return 0;
}

std::size_t give(char* room, std::size_t size, std::size_t count, void* source) {
  auto& rest = *static_cast<std::string_view*>(source);
  const std::size_t given = std::min(size * count, rest.size());
  std::memcpy(room, rest.data(), given);
  rest.remove_prefix(given);
  return given;
}

long curl_security(const SmtpOptions& options) {
  if (options.starttls == Starttls::none) return CURLUSESSL_NONE;
  if (options.starttls == Starttls::if_offered && options.user.empty()) return CURLUSESSL_TRY;
  return CURLUSESSL_ALL;
}

void set_server(CURL* handle, const SmtpOptions& options) {
  curl_easy_setopt(handle, CURLOPT_URL, options.url.c_str());
  curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
  // A password there would be in the operator's process list and in messages.
  curl_easy_setopt(handle, CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
  curl_easy_setopt(handle, CURLOPT_USE_SSL, curl_security(options));
  curl_easy_setopt(handle, CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2);
  if (!options.ca_file.empty()) {
    curl_easy_setopt(handle, CURLOPT_CAINFO, options.ca_file.c_str());
    curl_easy_setopt(handle, CURLOPT_CAPATH, nullptr);  // otherwise the system's are trusted beside it
  }
  if (!options.user.empty()) {
    curl_easy_setopt(handle, CURLOPT_USERNAME, options.user.c_str());
    curl_easy_setopt(handle, CURLOPT_PASSWORD, options.password.c_str());
  }
}

void set_times(CURL* handle, const SmtpOptions& options) {
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options.connect_timeout.count()));
  curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, static_cast<long>(options.timeout.count()));
  // Bounds the goodbye, which comes with curl_easy_perform only when the connection is not kept.
  const auto whole_s = std::chrono::ceil<std::chrono::seconds>(options.timeout).count();
  curl_easy_setopt(handle, CURLOPT_SERVER_RESPONSE_TIMEOUT, static_cast<long>(whole_s));
  curl_easy_setopt(handle, CURLOPT_FORBID_REUSE, 1L);
}

/// Of a sign-in the numbers alone: some servers repeat a command that they do not understand.
std::string words_for_log(const Conversation& conversation) {
  std::string words = conversation.reply.substr(0, kWordsSizeMax_bytes);
  if (conversation.verb == "AUTH")
    words = words.substr(0, words.find_first_not_of("0123456789. ")) + "at the sign-in";
  for (char& c : words)
    if (c < ' ' || c > '~') c = ' ';
  words.erase(words.find_last_not_of(' ') + 1);
  return words;
}

/// 5xx about this recipient or this mail. What says that we may not send at all (RFC 4954: 530; RFC 3463:
/// X.7, as in "relay access denied") is the operator's to mend, and the mail waits for it.
bool refuses_for_good(const Conversation& conversation) {
  const std::string& reply = conversation.reply;
  if (!reply.starts_with('5')) return false;
  if (conversation.verb == "DATA") return true;
  return conversation.verb == "RCPT" && !reply.starts_with("530") && reply.find(" 5.7.") != 3 &&
         reply.find("-5.7.") != 3;
}

Delivery outcome(CURLcode code, const char* sentence, const Conversation& conversation) {
  const bool is_negative = conversation.reply.starts_with('4') || conversation.reply.starts_with('5');
  Delivery delivery;
  if (code == CURLE_OK || is_negative)
    delivery.words = words_for_log(conversation);
  else if (code == CURLE_OPERATION_TIMEDOUT)  // the goodbye may have changed the sentence
    delivery.words = "timed out after " + (conversation.verb.empty() ? "connecting" : conversation.verb);
  else
    delivery.words = *sentence ? sentence : curl_easy_strerror(code);
  if (code == CURLE_OK)
    delivery.kind = Delivery::Kind::accepted;
  else if (refuses_for_good(conversation))
    delivery.kind = Delivery::Kind::refused;
  return delivery;
}

}  // namespace

Delivery send_mail(const Mail& mail, const SmtpOptions& options) {
  const auto text = mail_text(mail);
  if (!text) return {Delivery::Kind::refused, text.error()};
  const std::unique_ptr<CURL, SmtpHandleCloser> curl(curl_easy_init());
  const std::unique_ptr<curl_slist, RecipientsCloser> recipients(
      curl_slist_append(nullptr, mail.to.address.c_str()));
  if (!curl || !recipients) return {Delivery::Kind::later, "curl cannot start"};
  CURL* const handle = curl.get();
  Conversation conversation;
  std::string_view rest(*text);
  std::array<char, CURL_ERROR_SIZE> sentence{};
  set_server(handle, options);
  set_times(handle, options);
  curl_easy_setopt(handle, CURLOPT_MAIL_FROM, mail.from.address.c_str());
  curl_easy_setopt(handle, CURLOPT_MAIL_RCPT, recipients.get());
  curl_easy_setopt(handle, CURLOPT_UPLOAD, 1L);
  curl_easy_setopt(handle, CURLOPT_READFUNCTION, give);
  curl_easy_setopt(handle, CURLOPT_READDATA, &rest);
  curl_easy_setopt(handle, CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(text->size()));
  curl_easy_setopt(handle, CURLOPT_VERBOSE, 1L);  // to `hear`, not to stderr
  curl_easy_setopt(handle, CURLOPT_DEBUGFUNCTION, hear);
  curl_easy_setopt(handle, CURLOPT_DEBUGDATA, &conversation);
  curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, sentence.data());
  const CURLcode code = curl_easy_perform(handle);
  return outcome(code, sentence.data(), conversation);
}

}  // namespace actors
