// The one table of errors: what each code means to a client, and the problem document (RFC 9457) made of it.
#pragma once
#include <array>
#include <string>

#include "actors/refusal.hpp"
#include "http/links.hpp"
#include "http/response.hpp"

namespace http {

struct ErrorRow {
  actors::Code code;
  int status;
  const char* title;    ///< the kind of problem, German
  const char* meldung;  ///< one sentence for a person
  const char* tu;       ///< the next step; "{s}" stands for the seconds of Retry-After
};

/// By Code's order.
const std::array<ErrorRow, actors::kCodes>& error_table();

/// The problem document of a refusal; `request_id` becomes its `instance`.
Response problem(const actors::Refusal& refusal, const Links& links, const std::string& request_id);

}  // namespace http
