#include "http/operators/operator_view.hpp"

#include <prometheus/text_serializer.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "http/operators/data_check.hpp"

namespace http {
namespace {

using prometheus::MetricFamily;
using prometheus::MetricType;
using Families = std::vector<MetricFamily>;

MetricFamily family(const std::string& name, const std::string& help, bool only_grows) {
  MetricFamily made;
  made.name = name;
  made.help = help;
  made.type = only_grows ? MetricType::Counter : MetricType::Gauge;
  return made;
}

void add_value(MetricFamily& family, double value, const std::string& table = {}) {
  prometheus::ClientMetric metric;
  metric.counter.value = metric.gauge.value = value;
  if (!table.empty()) metric.label.push_back({"table", table});
  family.metric.push_back(std::move(metric));
}

void add_single(Families& families, const char* name, const char* help, double value,
                bool only_grows = false) {
  add_value(families.emplace_back(family(name, help, only_grows)), value);
}

void add_store(Families& families, const persistence::Store& store) {
  std::map<std::string, MetricFamily> by_name;
  for (const persistence::StoreFigure& figure : store.figures()) {
    auto& made =
        by_name.try_emplace(figure.name, family(figure.name, figure.help, figure.only_grows)).first->second;
    add_value(made, figure.value, figure.table);
  }
  for (auto& [name, made] : by_name) families.push_back(std::move(made));
  add_single(families, "roof_store_takes_writes", "0: the disk has refused a write and takes none yet",
             store.takes_writes() ? 1 : 0);
}

/// Resident memory in bytes; 0 when the system does not tell.
double resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  double total_pages = 0, resident_pages = 0;
  statm >> total_pages >> resident_pages;
  return resident_pages * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

double open_descriptors() {
  std::error_code error;
  const std::filesystem::directory_iterator entries("/proc/self/fd", error);
  return error ? 0 : static_cast<double>(std::distance(begin(entries), end(entries)));
}

void add_process(Families& families) {
  timespec used{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  add_single(families, "process_resident_memory_bytes", "Resident memory", resident_bytes());
  add_single(families, "process_open_fds", "Open file descriptors", open_descriptors());
  add_single(families, "process_cpu_seconds_total", "Processor time used",
             static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) / 1e9, true);
}

/// The other slots go on, so it is no reason for a front end to take the service for dead.
std::string stuck_runs(const actors::Meters& meters) {
  const auto stuck = static_cast<int>(meters.stuck.Value());
  if (stuck == 0) return {};
  return "of " + std::to_string(static_cast<int>(meters.slots.Value())) + " slots " + std::to_string(stuck) +
         (stuck == 1 ? " is held by a run that does" : " are held by runs that do") +
         " not stop: a read of the data hangs";
}

}  // namespace

std::string metrics_text(const OperatorView& view) {
  Families families = view.meters.registry().Collect();
  add_single(families, "roof_http_connections", "Open connections", view.server.connections());
  add_single(families, "roof_http_requests_under_way", "Requests that are not answered yet",
             static_cast<double>(view.server.under_way()));
  add_single(families, "roof_http_untaken_bytes", "Bytes of answers that clients have not taken yet",
             static_cast<double>(view.server.untaken_bytes()));
  if (const auto ends = view.server.certificate_ends())
    add_single(families, "roof_http_certificate_not_after_timestamp_seconds",
               "When the certificate in use ends, in Unix time",
               static_cast<double>(std::chrono::system_clock::to_time_t(*ends)));
  add_single(families, "roof_log_lines_dropped_total", "Log lines that nobody took in time",
             static_cast<double>(view.log.dropped()), true);
  add_single(families, "roof_draining", "1: the service is about to end", view.draining ? 1 : 0);
  add_store(families, view.store);
  add_process(families);
  if (view.cluster)
    for (const ClusterFigure& figure : view.cluster())
      add_single(families, figure.name, figure.help, figure.value, figure.only_grows);
  return prometheus::TextSerializer().Serialize(families);
}

std::string metrics_text(const std::vector<ClusterFigure>& figures) {
  Families families;
  for (const ClusterFigure& figure : figures)
    add_single(families, figure.name, figure.help, figure.value, figure.only_grows);
  add_process(families);
  return prometheus::TextSerializer().Serialize(families);
}

OperatorSources operator_sources(const OperatorView& view) {
  const auto data = std::make_shared<DataCheck>(view.geodata);
  return {.metrics = [view] { return metrics_text(view); },
          .fault = [view, data]() -> std::optional<std::string> {
            if (view.draining) return "draining";
            if (auto fault = view.watchdog.fault()) return fault;
            if (!view.store.takes_writes())
              return "the data directory takes no writes: " + view.store.last_fault();
            if (!view.store.get(persistence::Table::meta, "schema"))
              return "the data directory cannot be read";
            return data->fault();
          },
          .note =
              [view] {
                std::string notes;
                const auto add = [&](const std::string& note) {
                  notes += (notes.empty() || note.empty() ? "" : "; ") + note;
                };
                add(stuck_runs(view.meters));
                if (view.store.lost_files()) add("files with results are gone, so no backup can be made");
                if (view.cluster_note) add(view.cluster_note());
                return notes;
              }};
}

}  // namespace http
