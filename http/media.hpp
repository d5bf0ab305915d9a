// The list of a project's media as JSON.
#pragma once
#include <string>

#include "actors/messages.hpp"
#include "http/links.hpp"

namespace http {

std::string media_list_json(const actors::MediaList& list, const Links& links);

}  // namespace http
