// A full disk, as far as this process is concerned: while it stands no file grows beyond `bytes`
// (RLIMIT_FSIZE; writes fail as on a full disk). Keep it short-lived, it holds for the test's own output as
// well.
#pragma once
#include <sys/resource.h>

#include <csignal>

namespace test {

class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes = 0) {
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit now = before_;
    now.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &now);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

}  // namespace test
