#include "actors/workers/run_lines.hpp"

namespace actors {
namespace {

class Lines {
 public:
  Lines(Log& log, Lease& lease, std::uint64_t run) : log_(log), lease_(lease), run_(run) {
    ++lease_.computing;
    write("run begins");
  }
  ~Lines() {
    write("run ends");
    --lease_.computing;
  }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

 private:
  void write(const char* what) {
    log_.write(LogLevel::info,
               LogLine(what).field("run", run_).field("at_ms", static_cast<std::uint64_t>(waking_ms())));
  }
  Log& log_;
  Lease& lease_;
  std::uint64_t run_;
};

}  // namespace

Compute with_lines(Compute compute, LogPtr log, LeasePtr lease) {
  return [compute = std::move(compute), log = std::move(log), lease = std::move(lease)](
             const AnalysisJob& job, const geo::StepListener& on_step, const geo::RunControl& control) {
    const Lines lines(*log, *lease, job.run.run);
    return compute(job, on_step, control);
  };
}

}  // namespace actors
