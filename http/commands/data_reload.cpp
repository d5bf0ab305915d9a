#include "http/commands/data_reload.hpp"

#include <atomic>
#include <boost/algorithm/string/join.hpp>
#include <thread>
#include <utility>

#include "geo/data/kept_open.hpp"
#include "http/commands/administer.hpp"
#include "http/commands/geodata.hpp"

namespace http {

struct DataReload::State {
  std::shared_ptr<geo::LiveGeodata> live;
  Read read;
  Tell tell;
  std::mutex reading;
  std::atomic<int> under_way = 0;
  std::atomic<bool> waiting = false;

  AdminResult take() {
    const std::lock_guard one_at_a_time(reading);
    waiting = false;
    std::vector<std::string> faults;
    auto geodata = read(faults);
    geo::close_all_kept();  // of this thread, which reads no more
    if (!geodata) return {false, "the data in use stay in use: " + boost::algorithm::join(faults, "; ")};
    live->exchange(std::move(*geodata));
    return {true, "the catalogue was taken anew"};
  }
};

DataReload::DataReload(std::shared_ptr<geo::LiveGeodata> live, Read read, Tell tell)
    : state_(std::make_shared<State>()) {
  state_->live = std::move(live);
  state_->read = std::move(read);
  state_->tell = std::move(tell);
}

AdminResult DataReload::now() {
  ++state_->under_way;
  AdminResult result = state_->take();
  --state_->under_way;
  return result;
}

void DataReload::begin() {
  if (state_->waiting.exchange(true)) return;
  ++state_->under_way;
  std::thread([state = state_] {
    state->tell(state->take());
    --state->under_way;
  }).detach();
}

bool DataReload::idle() const { return state_->under_way == 0; }

int geodata_reload(const GeodataWork& work) {
  if (work.config.data_dir.empty()) return refuse("--data-dir is missing", kGeodataRefused);
  const auto answered = AdminSocket::ask(work.config.data_dir, {{"command", kReloadCommand}});
  return answered ? print(*answered)
                  : refuse(work.config.data_dir + ": no service runs there", kGeodataFailed);
}

}  // namespace http
