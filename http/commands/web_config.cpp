#include "http/commands/web_config.hpp"

#include <boost/algorithm/string/trim.hpp>
#include <fstream>
#include <iterator>

#include "actors/mail/email_address.hpp"
#include "http/commands/web_address.hpp"
#include "http/web/origin_check.hpp"

namespace http {
namespace {

constexpr std::uint32_t kMostHashers = 64;
constexpr std::uint32_t kMostPasswordMemory_mb = 1024;

std::string outbox_of(const std::string& data_dir) { return data_dir + "/outbox"; }

std::optional<actors::Starttls> starttls_of(const std::string& text) {
  if (text == "required") return actors::Starttls::required;
  if (text == "if-offered") return actors::Starttls::if_offered;
  if (text == "none") return actors::Starttls::none;
  return {};
}

}  // namespace

void WebConfig::add_to(caf::config_option_set& options) {
  caf::config_option_adder{options, "web"}
      .add(shown, "pages", "on or off: the pages for people beside the API")
      .add(sign_up, "sign-up", "open or closed: whether people may make test accounts themselves")
      .add(makers, "makers", "actors that make pages")
      .add(pages.imprint_file, "imprint", "text file, shown as Impressum; empty: there is none")
      .add(pages.privacy_file, "privacy", "text file, shown as Datenschutz; empty: there is none")
      .add(pages.tiles_url, "tiles-url",
           "map tiles, https://HOST/{z}/{x}/{y}.png; their host then learns where people look; empty: none")
      .add(pages.tiles_attribution, "tiles-attribution", "what must be named with the tiles")
      .add(pages.tiles_zoom_max, "tiles-zoom-max", "the tiles' largest zoom")
      .add(sign_in.removal_days, "removal-days",
           "days after its end until a test account is erased; 0 is never")
      .add(sign_in.hashers, "password-threads", "threads that check passwords")
      .add(password_memory_mb, "password-memory", "memory for checking one password, MB");
  caf::config_option_adder{options, "mail"}
      .add(sign_in.smtp.url, "smtp-url",
           "mail server, smtp://HOST:PORT or smtps://HOST:PORT; empty: mails become files in DATA-DIR/outbox")
      .add(smtp_tls, "tls", "of smtp://: required, if-offered or none")
      .add(sign_in.smtp.user, "user", "name at the mail server; empty: none is asked for")
      .add(smtp_password_file, "password-file", "file with the password for it")
      .add(sign_in.sender.address, "from", "the mails' sender")
      .add(sign_in.sender.name, "from-name", "its name");
}

std::optional<std::string> WebConfig::fault() const {
  if (!actors::is_plain_address(sign_in.sender.address))
    return "--mail.from=" + sign_in.sender.address + " is not an e-mail address";
  if (shown != "on" && shown != "off") return std::string("--web.pages is on or off");
  if (sign_up != "open" && sign_up != "closed") return std::string("--web.sign-up is open or closed");
  if (!sign_in.smtp.url.empty() && !is_mail_server(sign_in.smtp.url))
    return "--mail.smtp-url=" + sign_in.smtp.url + " is not smtp://HOST:PORT or smtps://HOST:PORT";
  if (!sign_in.smtp.user.empty() && smtp_password_file.empty())
    return std::string("--mail.user needs --mail.password-file");
  if (!starttls_of(smtp_tls)) return "--mail.tls is required, if-offered or none";
  if (sign_in.hashers == 0 || sign_in.hashers > kMostHashers)
    return "--web.password-threads is from 1 to " + std::to_string(kMostHashers);
  if (password_memory_mb == 0 || password_memory_mb > kMostPasswordMemory_mb)
    return "--web.password-memory is from 1 to " + std::to_string(kMostPasswordMemory_mb);
  if (!pages.tiles_url.empty() && !origin_of(pages.tiles_url))
    return "--web.tiles-url=" + pages.tiles_url + " is not an absolute http or https URL";
  if (!pages.tiles_url.empty() && pages.tiles_attribution.empty())
    return "--web.tiles-url needs --web.tiles-attribution";
  return {};
}

tl::expected<actors::SignInOptions, std::string> WebConfig::resolved_sign_in(
    const Links& links, const std::string& data_dir) const {
  actors::SignInOptions resolved = sign_in;
  resolved.open = sign_up == "open";
  resolved.web_url = links.web_url;
  if (const auto origin = origin_of(links.web_url)) {
    resolved.passkey_host = passkey_host_of(*origin);
    resolved.passkey_origin = *origin;
  }
  resolved.outbox_folder = outbox_of(data_dir);
  resolved.smtp.starttls = *starttls_of(smtp_tls);
  resolved.cost.memory_bytes = std::size_t{password_memory_mb} << 20U;
  if (smtp_password_file.empty()) return resolved;
  std::ifstream file(smtp_password_file);
  resolved.smtp.password.assign(std::istreambuf_iterator<char>(file), {});
  boost::trim_right_if(resolved.smtp.password, [](char c) { return c == '\n' || c == '\r'; });
  if (resolved.smtp.password.empty())
    return tl::make_unexpected("--mail.password-file=" + smtp_password_file + " cannot be read or is empty");
  return resolved;
}

WebOptions WebConfig::resolved_pages(const std::string& data_dir) const {
  WebOptions resolved = pages;
  resolved.sign_up_open = sign_up == "open";
  resolved.mail_to_files = sign_in.smtp.url.empty();
  resolved.outbox_folder = outbox_of(data_dir);
  return resolved;
}

}  // namespace http
