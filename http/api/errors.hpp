// The one table of errors: what each code means to a client, and the problem document (RFC 9457) made of it.
#pragma once
#include <array>
#include <string>

#include "actors/refusal.hpp"
#include "http/api/links.hpp"
#include "http/wire/response.hpp"

namespace http {

/// What a problem document carries beyond what all have.
enum class Extra { none, found, allowed, existing, analysis, existing_project };

/// Whether the meldung is the row's own, or whoever refuses may say more exactly what is wrong.
enum class Wording { own, replaceable };

struct ErrorRow {
  actors::Code code;
  int status;
  const char* title;    ///< the kind of problem, German
  const char* meldung;  ///< one sentence for a person
  const char* tu;       ///< the next step; "{s}" stands for the seconds of Retry-After
  Extra extra = Extra::none;
  Wording wording = Wording::own;
};

/// By Code's order; a code without a row does not compile.
const std::array<ErrorRow, actors::kCodes>& error_table();
inline const ErrorRow& error_row(actors::Code code) { return error_table()[static_cast<std::size_t>(code)]; }

/// Where a client finds it: "fehler.gefunden" and so on; empty for none.
const char* path_of(Extra extra);

/// The problem document of a refusal; `request_id` becomes its `instance`. The refusal's text takes the
/// meldung's place where the table says that it may.
Response problem(const actors::Refusal& refusal, const Links& links, const std::string& request_id);

}  // namespace http
