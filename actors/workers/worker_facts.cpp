#include "actors/workers/worker_facts.hpp"

#include <elf.h>
#include <link.h>
#include <openssl/evp.h>

#include <array>
#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/binary_serializer.hpp>
#include <caf/deep_to_string.hpp>
#include <cmath>
#include <cstring>
#include <sstream>
#include <vector>

#include "actors/serialisation.hpp"
#include "actors/workers/serialisation.hpp"
#include "geo/data/data_identity.hpp"

namespace actors {
namespace {

std::string hex_of(const unsigned char* bytes, std::size_t size) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < size; ++i) {
    text += kDigits[bytes[i] >> 4U];
    text += kDigits[bytes[i] & 15U];
  }
  return text;
}

/// The first 16 of SHA-256's bytes.
std::string digest_of_bytes(const void* bytes, std::size_t size) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> made{};
  EVP_Digest(bytes, size, made.data(), nullptr, EVP_sha256(), nullptr);
  return hex_of(made.data(), 16);
}

/// The note that the linker writes into the program (--build-id): a hash of its contents.
int find_build_id(dl_phdr_info* object, std::size_t, void* found) {
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = object->dlpi_phdr[i];
    if (part.p_type != PT_NOTE) continue;
    const auto* at = reinterpret_cast<const unsigned char*>(object->dlpi_addr + part.p_vaddr);
    const auto* const end = at + part.p_memsz;
    const auto padded = [](std::size_t size) { return (size + 3) / 4 * 4; };
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      ElfW(Nhdr) note;
      std::memcpy(&note, at, sizeof note);
      const auto* const name = at + sizeof note;
      const auto* const content = name + padded(note.n_namesz);
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0)
        *static_cast<std::string*>(found) = hex_of(content, note.n_descsz);
      at = content + padded(note.n_descsz);
    }
  }
  return 1;  // the first object is the program itself
}

template <class... Values>
std::string shapes_of(caf::actor_system& system, Values... values) {
  std::vector<char> bytes;
  caf::binary_serializer sink(system, bytes);
  std::string names;
  ((sink(values), names += caf::deep_to_string(values)), ...);
  return names + std::string(bytes.begin(), bytes.end());
}

/// The items of one list that the other has not.
std::string beyond(const std::string& list, const std::string& other) {
  std::string items;
  std::istringstream all(list);
  for (std::string item; std::getline(all >> std::ws, item, ',');)
    if ((", " + other + ",").find(", " + item + ",") == std::string::npos)
      items += (items.empty() ? "" : ", ") + item;
  return items;
}

}  // namespace

std::optional<FactsMismatch> mismatch(const WorkerFacts& home, const WorkerFacts& worker) {
  if (worker.build != home.build)
    return FactsMismatch{"build", "the home is another build of roofd (" + home.build + ", this one is " +
                                      worker.build + "): install the same package on both"};
  if (worker.arithmetic != home.arithmetic)
    return FactsMismatch{
        "arithmetic",
        "the home's processor computes other last digits than this one, so results would differ: "
        "use machines of one processor family"};
  if (worker.catalogue != home.catalogue)
    return FactsMismatch{"catalogue", "the home's data sets are not these (catalogue " + home.catalogue +
                                          ", here " + worker.catalogue + "): copy the home's geodata"};
  if (worker.options != home.options)
    return FactsMismatch{"options", "the home computes with " + beyond(home.options, worker.options) +
                                        ", this worker with " + beyond(worker.options, home.options)};
  return {};
}

std::string build_of_this_program() {
  std::string id;
  ::dl_iterate_phdr(find_build_id, &id);
  return (id.empty() ? "unknown" : id) + ", " + geo::library_versions();
}

std::string arithmetic_of_this_processor() {
  constexpr int kPlaces = 2000;
  std::vector<double> made;
  for (int i = 1; i <= kPlaces; ++i) {
    const double x = i * 0.0137;  // many digits, and angles beyond a full turn
    for (const double y : {std::sin(x), std::cos(x), std::tan(x), std::exp(-x), std::log(x),
                           std::pow(x, 1.37), std::atan2(x, 3.1), std::asin(1 / (1 + x)),
                           std::acos(1 / (1 + x)), std::hypot(x, 1.7), std::cbrt(x)})
      made.push_back(y);
  }
  return digest_of_bytes(made.data(), made.size() * sizeof made[0]);
}

std::string protocol_digest() {
  caf::actor_system_config config;
  caf::actor_system system(config);
  const std::string shapes = shapes_of(system, WorkerFacts{}, WorkerWelcome{}, AnalysisJob{}, RunRef{},
                                       StepDone{}, OutcomePiece{}, RunOutcome{});
  return digest_of_bytes(shapes.data(), shapes.size());
}

}  // namespace actors
