#include "actors/refusal.hpp"

#include <algorithm>
#include <array>

namespace actors {
namespace {

#define ROOF_CODE(name) #name,
constexpr std::array<const char*, kCodes> kNames = {ROOF_CODES(ROOF_CODE)};
#undef ROOF_CODE

}  // namespace

const char* name_of(Code code) { return kNames[static_cast<std::size_t>(code)]; }

Code code_of(const std::string& name) {
  const auto* const it = std::find(kNames.begin(), kNames.end(), name);
  return it == kNames.end() ? Code::interner_fehler : static_cast<Code>(it - kNames.begin());
}

Refusal late_disk(const std::string& open_question, std::uint64_t project) {
  return {.code = Code::dienst_ueberlastet,
          .text = "Der Datenspeicher hat nicht rechtzeitig geantwortet; " + open_question +
                  ", steht noch nicht fest.",
          .project = project,
          .retry_after_s = kBusyRetry_s};
}

}  // namespace actors
