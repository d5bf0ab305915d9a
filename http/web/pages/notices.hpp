// What a page says after a redirect: ?meldung= names one of our own sentences.
#pragma once
#include <string>

#include "http/web/visit.hpp"

namespace http {

/// Empty for no name, and for one that is none of ours.
std::string notice_of(const PageVisit& visit);

}  // namespace http
