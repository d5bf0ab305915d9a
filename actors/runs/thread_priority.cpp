#include "actors/runs/thread_priority.hpp"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

namespace actors {

void step_behind_others(int steps) {
  constexpr int kLast = 19;
  const auto thread = static_cast<id_t>(::syscall(SYS_gettid));
  const int now = ::getpriority(PRIO_PROCESS, thread);
  // Lowering one's own priority needs no privilege. If it is refused all the same, the thread works on as
  // before.
  static_cast<void>(::setpriority(PRIO_PROCESS, thread, std::min(now + steps, kLast)));
}

}  // namespace actors
