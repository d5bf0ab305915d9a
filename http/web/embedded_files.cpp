#include "http/web/embedded_files.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "actors/sign_in/secret.hpp"
#include "http/web/embedded_bytes.hpp"

namespace http {
namespace {

constexpr std::size_t kHashDigits = 12;
constexpr auto kPublicFolder = "/datei/";

struct FileKind {
  std::string_view ending, type;
  bool loaded;  ///< by browsers, by its name
};
constexpr std::array<FileKind, 6> kFileKinds{{{".html", "text/html; charset=utf-8", false},
                                              {".md", "text/plain; charset=utf-8", false},
                                              {".css", "text/css; charset=utf-8", true},
                                              {".js", "text/javascript; charset=utf-8", true},
                                              {".svg", "image/svg+xml", true},
                                              {".png", "image/png", true}}};

const FileKind& kind_of(std::string_view name) {
  for (const FileKind& kind : kFileKinds)
    if (name.ends_with(kind.ending)) return kind;
  return kFileKinds[1];
}

std::string public_name_of(const std::string& name, const FileKind& kind, const std::string& bytes) {
  if (!kind.loaded) return {};
  const std::string hash = actors::hex_of(actors::fingerprint_of_secret(bytes)).substr(0, kHashDigits);
  return name.substr(0, name.size() - kind.ending.size()) + "." + hash + std::string(kind.ending);
}

const std::vector<EmbeddedFile>& embedded_files() {
  static const std::vector<EmbeddedFile> kFiles = [] {
    std::vector<EmbeddedFile> files;
    for (const EmbeddedBytes* one = embedded_bytes(); one->name; ++one) {
      const FileKind& kind = kind_of(one->name);
      auto body = std::make_shared<const std::string>(one->bytes, one->size);
      const std::string name = one->name;
      files.push_back({name, public_name_of(name, kind, *body), kind.type, std::move(body)});
    }
    return files;
  }();
  return kFiles;
}

}  // namespace

const EmbeddedFile* embedded_file(std::string_view public_name) {
  for (const EmbeddedFile& file : embedded_files())
    if (!file.public_name.empty() && file.public_name == public_name) return &file;
  return nullptr;
}

std::string file_address(std::string_view name) {
  const EmbeddedFile* file = embedded_text(name);
  return file && !file->public_name.empty() ? kPublicFolder + file->public_name : std::string();
}

const EmbeddedFile* embedded_text(std::string_view name) {
  for (const EmbeddedFile& file : embedded_files())
    if (file.name == name) return &file;
  return nullptr;
}

TemplateTexts template_texts() {
  constexpr std::string_view kEnding = ".html";
  TemplateTexts texts;
  for (const EmbeddedFile& file : embedded_files())
    if (file.name.ends_with(kEnding))
      texts.emplace(file.name.substr(0, file.name.size() - kEnding.size()), *file.body);
  return texts;
}

bool is_page_template(std::string_view name) {
  constexpr std::array<std::string_view, 10> kParts{
      "layout",         "marke",          "beispiel_dach", "lastprofil_feld", "verbrauch_feld",
      "projekt_laeuft", "projekt_fertig", "befehl",        "doku_feld",       "doku_zeile"};
  return std::find(kParts.begin(), kParts.end(), name) == kParts.end();
}

}  // namespace http
