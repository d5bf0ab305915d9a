#include "actors/sign_in/argon2id.hpp"

#include <argon2.h>
#include <sys/mman.h>

#include <limits>

namespace actors {
namespace {

/// libargon2 hands no context to its callbacks, so what they take belongs to the thread.
class KeptMemory {
 public:
  KeptMemory() = default;
  ~KeptMemory() { give_back(); }
  KeptMemory(const KeptMemory&) = delete;
  KeptMemory& operator=(const KeptMemory&) = delete;

  /// At least `size` bytes; null when they are not to be had.
  void* take(std::size_t size) {
    if (size <= size_) return memory_;
    give_back();
    void* const taken = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (taken == MAP_FAILED) return nullptr;
    // A system without huge pages gives small ones.
    static_cast<void>(madvise(taken, size, MADV_HUGEPAGE));
    memory_ = taken, size_ = size;
    return memory_;
  }
  void give_back() {
    if (memory_) munmap(memory_, size_);
    memory_ = nullptr, size_ = 0;
  }

 private:
  void* memory_ = nullptr;
  std::size_t size_ = 0;
};
thread_local KeptMemory kept_memory;

int take_memory(std::uint8_t** memory, std::size_t size) {
  *memory = static_cast<std::uint8_t*>(kept_memory.take(size));
  return *memory ? ARGON2_OK : ARGON2_MEMORY_ALLOCATION_ERROR;
}

/// libargon2 has wiped it.
void keep_memory(std::uint8_t*, std::size_t) {}

}  // namespace

std::optional<HashBytes> argon2id(std::span<const char> password, const Salt& salt, PasswordCost cost) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  if (password.size() > kMost || cost.memory_bytes / 1024 > kMost || cost.passes > kMost) return {};
  HashBytes out;
  argon2_context context{};
  context.out = out.data();
  context.outlen = static_cast<std::uint32_t>(out.size());
  // It only reads these two, as no flag asks it to wipe the password.
  context.pwd = reinterpret_cast<std::uint8_t*>(const_cast<char*>(password.data()));
  context.pwdlen = static_cast<std::uint32_t>(password.size());
  context.salt = const_cast<std::uint8_t*>(salt.data());
  context.saltlen = static_cast<std::uint32_t>(salt.size());
  context.t_cost = static_cast<std::uint32_t>(cost.passes);
  context.m_cost = static_cast<std::uint32_t>(cost.memory_bytes / 1024);
  context.lanes = context.threads = 1;
  context.version = ARGON2_VERSION_13;
  context.allocate_cbk = take_memory;
  context.free_cbk = keep_memory;
  if (argon2_ctx(&context, Argon2_id) != ARGON2_OK) return {};
  return out;
}

void give_back_hash_memory() { kept_memory.give_back(); }

}  // namespace actors
