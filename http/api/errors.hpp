// The one table of errors: what each code means to a client, and its problem document (RFC 9457).
#pragma once
#include <array>
#include <string>

#include "actors/refusal.hpp"
#include "http/api/links.hpp"
#include "http/wire/response.hpp"

namespace http {

/// What a problem document carries beyond the members that all have.
enum class Extra { none, found, allowed, existing, analysis, existing_project };

/// Whether the meldung is always the row's own, or a refusal may replace it by a more exact one.
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

/// In Code's order; a code without a row does not compile.
const std::array<ErrorRow, actors::kCodes>& error_table();
inline const ErrorRow& error_row(actors::Code code) { return error_table()[static_cast<std::size_t>(code)]; }

/// The path at which a client finds it: "fehler.gefunden" and so on; empty for none.
const char* path_of(Extra extra);

/// What a refusal says to a person: its own text where the table allows it, else the row's.
std::string meldung_of(const actors::Refusal& refusal);
/// The next step, with the seconds to wait.
std::string tu_of(const actors::Refusal& refusal);

/// The problem document of a refusal; `request_id` becomes its `instance`.
Response problem(const actors::Refusal& refusal, const Links& links, const std::string& request_id);

}  // namespace http
