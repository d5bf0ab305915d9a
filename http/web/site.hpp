// What all pages share: their templates, addresses and the operator's settings. Made once, at the start.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "actors/log.hpp"
#include "actors/options.hpp"
#include "http/api/links.hpp"
#include "http/web/cookie.hpp"
#include "http/web/origin_check.hpp"
#include "http/web/security_headers.hpp"
#include "http/web/template.hpp"

namespace http {

/// What operators set for the pages; empty texts are left out.
struct WebOptions {
  bool sign_up_open = true;
  bool mail_to_files = false;  ///< there is no mail server: the pages say so
  std::string outbox_folder;   ///< where mails go then
  std::string address_service =
      "das amtliche Adressverzeichnis";    ///< what resolves addresses, in the accusative
  std::string imprint_file, privacy_file;  ///< plain text
  std::string tiles_url;                   ///< of a map: https://host/{z}/{x}/{y}.png
  std::string tiles_attribution;
  int tiles_zoom_max = 19;
};

/// Who looks at a page, for its frame.
struct Viewer {
  bool signed_in = false;
  std::string email;
};

/// A page before it has its frame.
struct Page {
  std::string name;  ///< of the template
  std::string title;
  TemplateData data{TemplateData::type::object};
  int status = 200;
  std::string section;    ///< of the navigation: projekte, schluessel, verbrauch, konto
  std::string good, bad;  ///< what has just been done, or why it was not
  int refresh_s = 0;      ///< 0: not by itself
  std::string summary;    ///< for search engines and link previews; empty: none
};

/// What could not be done, and what to do now.
struct Trouble {
  int status = 500;
  std::string title, what, remedy;
  std::string next_path = "/", next_text = "Zur Startseite";
};

class Site {
 public:
  /// The error is one sentence about a file that the options name. Throws TemplateError for a template that
  /// is none and std::invalid_argument for a web_url that is no address: mistakes of ours and of whoever
  /// checked the options.
  static std::shared_ptr<const Site> make(const Links& links, const WebOptions& options,
                                          const actors::ActorOptions& actors, actors::LogPtr log);

  Response respond(const Page& page, const Viewer& viewer) const;
  /// 303 to one of our own paths.
  Response redirect(const std::string& path) const;
  Response error(const Trouble& trouble, const std::string& request_id, const Viewer& viewer) const;

  const Links& links() const { return links_; }
  const WebOptions& options() const { return options_; }
  const actors::ActorOptions& actors() const { return actors_; }
  const std::string& origin() const { return origin_; }
  /// Empty: browsers give no passkeys to this address.
  std::string passkey_host() const { return passkey_host_of(origin_); }
  SessionCookieOptions cookie() const { return {.secure = origin_.starts_with("https://")}; }
  const SecurityHeaders& security() const { return *security_; }
  /// The operator's text of an imprint and the like; empty when there is none.
  const std::string& imprint() const { return imprint_; }
  const std::string& privacy() const { return privacy_; }

 private:
  Site() = default;

  Links links_;
  WebOptions options_;
  actors::ActorOptions actors_;
  actors::LogPtr log_;
  std::string origin_, imprint_, privacy_;
  std::optional<SecurityHeaders> security_;
  std::map<std::string, Template, std::less<>> templates_;
};
using SitePtr = std::shared_ptr<const Site>;

}  // namespace http
