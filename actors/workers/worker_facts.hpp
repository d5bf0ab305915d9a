// What decides whether a worker's results are the home's, byte for byte.
#pragma once
#include <optional>
#include <string>

#include "actors/workers/values.hpp"

namespace actors {

/// Why a worker is refused.
struct FactsMismatch {
  const char* what;      ///< build, arithmetic, catalogue or options
  std::string sentence;  ///< for the worker's operator
};

/// Nothing when the worker computes the same bytes as the home.
std::optional<FactsMismatch> mismatch(const WorkerFacts& home, const WorkerFacts& worker);

/// The linker's identity of this very program, and the versions of the libraries that read and project data.
std::string build_of_this_program();

/// A digest of what this processor makes of the functions whose last digit differs between processors: the C
/// library chooses their code by the processor's instructions.
std::string arithmetic_of_this_processor();

/// What the bytes on the wire look like, as a digest: changes with every message's name and fields. Two
/// programs with different ones never take each other's bytes for messages.
std::string protocol_digest();

}  // namespace actors
