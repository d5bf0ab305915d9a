// Why a piece of geodata work ended without a value. Errors are values here; the actors turn them into the
// contract's codes in one table.
#pragma once
#include <cerrno>
#include <string>
#include <tl/expected.hpp>

namespace geo {

enum class FailureKind {
  no_roof,           ///< nothing evaluable at the place, or no elevation model covers it (422 kein_dach)
  data_unreachable,  ///< a data set cannot be opened or read (503 dienst_nicht_erreichbar)
  data_overloaded,   ///< a data source asks to come back later (503 dienst_ueberlastet)
  invalid_input,     ///< a catalogue, a data set or an option is wrong; the operator must mend it
  cancelled,         ///< the run was told to stop
  internal,          ///< a bug or an unexpected state (500 analyse_fehlgeschlagen)
};

/// `text` is one sentence. For `no_roof` it is German and may be shown to a client; for the others it is
/// English, meant for the operator's log, and may name files.
struct Failure {
  FailureKind kind = FailureKind::internal;
  std::string text;
  bool no_room = false;  ///< of invalid_input: the disk is full, so nothing else can be written either
};

template <class T>
using Result = tl::expected<T, Failure>;

inline tl::unexpected<Failure> fail(FailureKind kind, std::string text) {
  return tl::make_unexpected(Failure{kind, std::move(text)});
}

/// Whether an errno says that a disk is full, or that we may have no more of it.
inline bool means_no_room(int error) { return error == ENOSPC || error == EDQUOT || error == EFBIG; }

}  // namespace geo
