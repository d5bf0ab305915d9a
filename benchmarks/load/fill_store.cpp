// Makes a data directory for the load benchmark, by way of the store and without the service:
// `bench_fill DATA ACCOUNTS PROJECTS_PER_ACCOUNT TARGETS [LON LAT]`. Writes "KEY PROJECT" for every account's
// newest project into TARGETS. Those projects have a result; all others had one that has expired. With
// a place all runs stand in line instead, to be computed there. The same arguments make the same data, except
// for the keys.
#include <chrono>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>

#include "actors/accounts/key_text.hpp"
#include "geo/addresses/pieces.hpp"
#include "persistence/keys.hpp"
#include "persistence/records.hpp"
#include "persistence/result_codec.hpp"
#include "persistence/store.hpp"

namespace {

using namespace persistence;

constexpr std::size_t kBatch = 5000;
constexpr std::int64_t kDay_ms = 86'400'000;

std::int64_t now_ms() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

/// A result with as many surfaces as a house has.
std::string result_bytes() {
  geo::RoofAnalysis analysis;
  analysis.module_power_w = 440;
  for (int id = 1; id <= 4; ++id) {
    geo::RoofSurface surface{
        .id = id, .name = "Fläche", .building = 1, .plan_area_m2 = 30, .roof_area_m2 = 38};
    surface.outline_wgs84 = {{{11, 48}, {11.0001, 48}, {11.0001, 48.0001}, {11, 48}}};
    surface.yield_kwh_per_kwp = 1000;
    analysis.surfaces.push_back(std::move(surface));
  }
  analysis.totals.buildings = 1;
  return encode_result(analysis).value();
}

class Filler {
 public:
  explicit Filler(const std::string& directory) {
    auto opened = Store::open(directory);
    if (!opened) {
      std::cerr << opened.error() << "\n";
      std::exit(1);
    }
    store_ = std::move(*opened);
  }
  ~Filler() { flush(); }
  Filler(const Filler&) = delete;
  Filler& operator=(const Filler&) = delete;

  std::string add_account(std::uint64_t id) {
    std::string key = actors::make_key(id);
    const Key record{id, "Last", actors::fingerprint_of(key), now_ms(), 0};
    put(Table::accounts, number_key(id), encode(Account{id, "last@example.org", "regular", now_ms(), 0}));
    put(Table::keys, number_key(id) + record.fingerprint, encode(record));
    return key;
  }

  void add_project(std::uint64_t account, std::uint64_t id, bool newest,
                   const std::optional<geo::LonLat>& waits) {
    const std::string key = project_key(account, id);
    const std::string number = std::to_string(id);
    const std::string address = "Lastweg " + number + ", 80331 München";
    put(Table::projects, key,
        encode(Project{id, account, "Haus " + number, address, "Lastweg", number, "80331", "München", "DE",
                       waits ? waits->lon_deg : 11.57, waits ? waits->lat_deg : 48.14, 4500, "H0",
                       now_ms()}));
    const std::int64_t ended = newest ? now_ms() : now_ms() - 2 * kDay_ms;
    Run run{.id = id, .project = id, .account = account, .state = RunState::finished, .queued_ms = ended};
    run.started_ms = run.ended_ms = ended;
    run.consumption_kwh = 4500;
    run.load_profile = "H0";
    if (waits) {
      run.state = RunState::waiting;
      put(Table::line, number_key(id), key);
    } else if (newest) {
      put(Table::results, key, result_);
      put(Table::expiry, expiry_key(ended, account, id), {});
    }
    put(Table::runs, key, encode(run));
    put(Table::addresses, address_key(account, AddressKind::spelling, geo::normal_address_text(address)),
        number_key(id));
  }

  void set_next(const std::string& sequence, std::uint64_t next) {
    put(Table::meta, "next-" + sequence, number_key(next));
  }

 private:
  void put(Table table, std::string key, std::string value) {
    batch_.push_back({table, std::move(key), std::move(value)});
    if (batch_.size() >= kBatch) flush();
  }
  void flush() {
    if (!store_->commit(batch_)) {
      std::cerr << "the disk refuses\n";
      std::exit(1);
    }
    batch_.clear();
  }

  std::unique_ptr<Store> store_;
  Writes batch_;
  std::string result_ = result_bytes();
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::cerr << "usage: bench_fill DATA ACCOUNTS PROJECTS_PER_ACCOUNT TARGETS [LON LAT]\n";
    return 2;
  }
  const std::uint64_t accounts = std::stoull(argv[2]), each = std::stoull(argv[3]);
  std::optional<geo::LonLat> waits;
  if (argc > 6) waits = geo::LonLat{std::stod(argv[5]), std::stod(argv[6])};
  Filler filler(argv[1]);
  std::ofstream targets(argv[4]);
  std::uint64_t next = 1;
  for (std::uint64_t account = 1; account <= accounts; ++account) {
    targets << filler.add_account(account);
    for (std::uint64_t i = 1; i <= each; ++i) filler.add_project(account, next++, i == each, waits);
    targets << " " << next - 1 << "\n";
  }
  filler.set_next("account", accounts + 1);
  filler.set_next("project", next);
  filler.set_next("run", next);
}
