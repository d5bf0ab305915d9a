// Templates, styles, scripts and texts of the pages, inside the program (embed.cmake puts them there). What
// browsers load has a hash of its bytes in its name, so that they may keep it for good.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "http/web/template.hpp"

namespace http {

struct EmbeddedFile {
  std::string name;         ///< "roof.css"
  std::string public_name;  ///< "roof.3f2a91c04b5d.css"
  std::string_view type;
  std::shared_ptr<const std::string> body;
};

/// What /datei/{public_name} answers; null for a name that is none, and for a template.
const EmbeddedFile* embedded_file(std::string_view public_name);

/// Of a style or a script: "/datei/roof.3f2a91c04b5d.css"; empty when there is none of that name.
std::string file_address(std::string_view name);

/// A text of that name; null when there is none.
const EmbeddedFile* embedded_text(std::string_view name);

/// All templates by name, without ".html".
TemplateTexts template_texts();
/// Whether a template is a page, and not a part of others.
bool is_page_template(std::string_view name);

}  // namespace http
