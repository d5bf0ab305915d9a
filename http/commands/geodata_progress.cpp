#include "http/commands/geodata_progress.hpp"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <iostream>

#include "geo/offices/plan.hpp"

namespace http {
namespace {

constexpr std::chrono::milliseconds kBetweenBars{200};
constexpr std::chrono::seconds kBetweenLines{30};

std::string bar_of(std::size_t done, std::size_t files) {
  constexpr std::size_t kWidth = 24;
  const std::size_t full = files == 0 ? 0 : done * kWidth / files;
  return "[" + std::string(full, '#') + std::string(kWidth - full, '.') + "]";
}

}  // namespace

GeodataProgress::GeodataProgress() : terminal_(::isatty(STDERR_FILENO) == 1) {}

void GeodataProgress::clear_bar() {
  if (bar_) std::cerr << "\r\033[K";
  bar_ = false;
}

void GeodataProgress::show(const geo::offices::SetProgress& progress) {
  const std::lock_guard guard(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (set_ != progress.set) {
    set_ = progress.set;
    set_begun_ = shown_ = now;
  }
  const double seconds = std::chrono::duration<double>(now - set_begun_).count();
  const auto rate =
      static_cast<std::uint64_t>(seconds > 1 ? static_cast<double>(progress.bytes) / seconds : 0);
  last_line_ = progress.set + "  " + std::to_string(progress.done) + " of " + std::to_string(progress.files) +
               " files, " + geo::offices::size_text(progress.bytes) +
               (rate > 0 ? ", " + geo::offices::size_text(rate) + "/s" : "");
  if (now - shown_ <
      (terminal_ ? kBetweenBars : std::chrono::duration_cast<std::chrono::milliseconds>(kBetweenLines)))
    return;
  shown_ = now;
  if (!terminal_) {
    std::cerr << last_line_ << std::endl;
    return;
  }
  clear_bar();
  std::cerr << bar_of(progress.done, progress.files) << " " << last_line_ << std::flush;
  bar_ = true;
}

void GeodataProgress::say(const std::string& sentence) {
  const std::lock_guard guard(mutex_);
  clear_bar();
  std::cerr << sentence << std::endl;
}

void GeodataProgress::end_set() {
  const std::lock_guard guard(mutex_);
  clear_bar();
  if (!last_line_.empty()) std::cerr << last_line_ << std::endl;
  last_line_.clear();
  set_.clear();
}

}  // namespace http
