#include "http/web/site.hpp"

#include <array>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "http/web/embedded_files.hpp"
#include "http/web/origin_check.hpp"

namespace http {
namespace {

constexpr auto kHtml = "text/html; charset=utf-8";
constexpr std::size_t kMostText = 1U << 20U;

/// A file's text; empty for no name. Throws a sentence for a file that cannot be read.
std::string file_text(const char* option, const std::string& name) {
  if (name.empty()) return {};
  std::ifstream file(name, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.good() && !file.eof())
    throw std::runtime_error(std::string(option) + "=" + name + " cannot be read");
  if (text.empty() || text.size() > kMostText)
    throw std::runtime_error(std::string(option) + "=" + name + " is empty or too long");
  return text;
}

TemplateData flag(bool on) {
  return TemplateData(on ? TemplateData::type::bool_true : TemplateData::type::bool_false);
}

/// A text, or a section's absence.
TemplateData text_or_none(const std::string& text) { return text.empty() ? flag(false) : TemplateData(text); }

}  // namespace

SitePtr Site::make(const Links& links, const WebOptions& options, const actors::ActorOptions& actors,
                   actors::LogPtr log) {
  std::shared_ptr<Site> site(new Site());
  site->links_ = links;
  site->options_ = options;
  site->actors_ = actors;
  site->log_ = std::move(log);
  site->origin_ = origin_of(links.web_url).value();
  site->imprint_ = file_text("--web.imprint", options.imprint_file);
  site->privacy_ = file_text("--web.privacy", options.privacy_file);
  PageSecurityOptions security{.public_origin = site->origin_, .tile_origins = {}};
  if (!options.tiles_url.empty()) security.tile_origins.push_back(origin_of(options.tiles_url).value());
  site->security_.emplace(security);
  const TemplateTexts texts = template_texts();
  for (const auto& [name, text] : texts)
    if (is_page_template(name)) site->templates_.emplace(name, Template(texts, name, "layout"));
  return site;
}

Response Site::respond(const Page& page, const Viewer& viewer) const {
  TemplateData data = page.data;
  data.set("titel", page.title);
  data.set("beschreibung", text_or_none(page.summary));
  data.set("fuer_alle", flag(false));  // but for the API's (documentation/public_frame.cpp)
  data.set("anwendung_url", std::string());
  for (const char* of_the_api : {"seite_doku", "seite_anleitung"}) data.set(of_the_api, flag(false));
  data.set("angemeldet", flag(viewer.signed_in));
  data.set("email", viewer.email);
  for (const char* section : {"projekte", "schluessel", "verbrauch", "konto"})
    data.set(std::string("seite_") + section, flag(page.section == section));
  data.set("registrierung_offen", flag(options_.sign_up_open));
  data.set("meldung_gut", text_or_none(page.good));
  data.set("meldung_schlecht", text_or_none(page.bad));
  data.set("stil_url", std::string(file_address("roof.css")));
  data.set("skript_url", text_or_none(std::string(file_address("seite.js"))));
  data.set("auffrischen_s",
           text_or_none(page.refresh_s > 0 ? std::to_string(page.refresh_s) : std::string()));
  data.set("doku_url", links_.documentation());
  data.set("anleitung_url", links_.guide());
  data.set("impressum_da", flag(!imprint_.empty()));
  data.set("datenschutz_da", flag(!privacy_.empty()));
  std::vector<std::string> missing;
  Response response{.status = page.status, .content_type = kHtml};
  response.body = templates_.at(page.name).render(data, &missing);
  for (const std::string& name : missing)
    log_->write(actors::LogLevel::error,
                actors::LogLine("a page has a gap").field("page", page.name).field("name", name));
  security_->add_to(response);
  return response.with("Content-Language", "de");
}

Response Site::redirect(const std::string& path) const {
  Response response{.status = 303, .content_type = kHtml};
  security_->add_to(response);
  return response.with("Location", path);
}

Response Site::error(const Trouble& trouble, const std::string& request_id, const Viewer& viewer) const {
  Page page{.name = "fehler", .title = trouble.title, .status = trouble.status};
  page.data.set("fehler_status", std::to_string(trouble.status));
  page.data.set("fehler_titel", trouble.title);
  page.data.set("fehler_was", trouble.what);
  page.data.set("fehler_tun", trouble.remedy);
  page.data.set("weiter_url", trouble.next_path);
  page.data.set("weiter_text", trouble.next_text);
  page.data.set("anfrage_id", text_or_none(request_id));
  return respond(page, viewer);
}

}  // namespace http
