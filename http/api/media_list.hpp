// A project's media: the list of them as JSON, and the header fields with which each is sent.
#pragma once
#include <string>

#include "actors/values.hpp"
#include "http/api/links.hpp"

namespace http {

std::string media_list_json(const actors::MediaList& list, const Links& links);

/// The header fields of a medium.
struct MediumFile {
  std::string type;
  std::string disposition;  ///< Content-Disposition, with the name to save it under
};
MediumFile file_of(const actors::Medium& medium);

}  // namespace http
