#include "http/commands/import_addresses.hpp"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <iostream>

#include "geo/address_import/import.hpp"
#include "geo/data/gdal.hpp"
#include "http/commands/configuration.hpp"

namespace http {
namespace {

constexpr int kInterrupted = 130;
constexpr std::chrono::milliseconds kBarsEach{200};
constexpr std::chrono::seconds kLinesEach{10};

std::atomic<bool> import_stopped{false};

/// While it lives, Ctrl-C and SIGTERM stop the import instead of the program, so that nothing half made
/// stays.
class StopBySignal {
 public:
  StopBySignal() : interrupt_(std::signal(SIGINT, stop)), terminate_(std::signal(SIGTERM, stop)) {}
  StopBySignal(const StopBySignal&) = delete;
  StopBySignal& operator=(const StopBySignal&) = delete;
  ~StopBySignal() {
    std::signal(SIGINT, interrupt_);
    std::signal(SIGTERM, terminate_);
  }

 private:
  static void stop(int) { import_stopped = true; }
  void (*interrupt_)(int);
  void (*terminate_)(int);
};

class ImportProgressLine {
 public:
  explicit ImportProgressLine(std::string file)
      : file_(std::move(file)), terminal_(::isatty(STDERR_FILENO) == 1) {}
  ImportProgressLine(const ImportProgressLine&) = delete;
  ImportProgressLine& operator=(const ImportProgressLine&) = delete;
  ~ImportProgressLine() {
    if (drawn_) std::cerr << "\r\033[K" << std::flush;
  }

  void show(const geo::ImportProgress& progress) {
    const auto now = std::chrono::steady_clock::now();
    if (now - shown_ <
        (terminal_ ? kBarsEach : std::chrono::duration_cast<std::chrono::milliseconds>(kLinesEach)))
      return;
    shown_ = now;
    std::string line = file_ + ": " + progress.step + ", " + std::to_string(progress.rows) + " rows";
    if (progress.of > 0) line += ", " + std::to_string(progress.done * 100 / progress.of) + " %";
    if (terminal_)
      std::cerr << "\r\033[K" << line << std::flush;
    else
      std::cerr << line << std::endl;
    drawn_ = terminal_;
  }

 private:
  std::string file_;
  bool terminal_, drawn_ = false;
  std::chrono::steady_clock::time_point shown_ = std::chrono::steady_clock::now();
};

class ImportConfig : public CommandConfig {
 public:
  ImportConfig() {
    opt_group{custom_options_, "global"}
        .add(as, "as",
             "hk-de, gebref, bev, swisstopo, or csv:street=STR,number=HNR+ADZ,x=OST,y=NORD,crs=25832 with "
             "the file's "
             "columns; also postcode, town, also, country; or vector:street=STR,... of a vector data set, "
             "also "
             "layer, within")
        .add(out, "out", "the index to write");
  }
  std::string as, out;
};

}  // namespace

geo::Result<std::string> import_with_progress(const geo::AddressImport& import) {
  const StopBySignal stop;
  import_stopped = false;
  ImportProgressLine line(import.files.front());
  return geo::import_addresses(import, [&line](const geo::ImportProgress& progress) {
    line.show(progress);
    return !import_stopped;
  });
}

int import_addresses_command(const Arguments& arguments) {
  const bool named = !arguments.empty() && !arguments[0].starts_with("--");
  ImportConfig config;
  if (const auto code = config.parse_or_exit_code({arguments.begin() + (named ? 1 : 0), arguments.end()}, ""))
    return *code;
  if (!named)
    return refuse(
        "the register's file comes first: roofd geodata import-addresses FILE --as=FORM --out=FILE.addr");
  if (config.as.empty())
    return refuse("--as is missing: hk-de, gebref, bev, swisstopo, csv:... or vector:...");
  if (config.out.empty()) return refuse("--out is missing: the index to write");
  geo::register_gdal_drivers();
  const auto imported = import_with_progress({{arguments[0]}, config.as, config.out});
  if (!imported)
    return refuse(imported.error().text,
                  imported.error().kind == geo::FailureKind::cancelled ? kInterrupted : 2);
  std::cout << *imported << std::endl;
  return 0;
}

}  // namespace http
