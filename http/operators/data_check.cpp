#include "http/operators/data_check.hpp"

#include <chrono>

#include "geo/data/catalogue.hpp"

namespace http {

using SteadyClock = std::chrono::steady_clock;

namespace {

constexpr auto kLookAgain = std::chrono::seconds(10);
constexpr auto kPatienceWithData = std::chrono::seconds(1);

}  // namespace

/// The state of the checks, of which one runs at a time. Shared by the checking thread and its askers.
struct DataCheck::Look {
  std::string catalogue;
  std::mutex mutex;
  std::condition_variable over;
  bool under_way = false;
  SteadyClock::time_point began, next;
  std::optional<std::string> fault;
  std::optional<geo::Catalogue> good;  ///< when all data sets opened; of the checking thread

  std::optional<std::string> look() {
    if (good && !good->changed()) return {};
    good.reset();
    auto loaded = geo::Catalogue::load(catalogue);
    if (!loaded) return loaded.error().text;
    good = std::move(*loaded);
    return {};
  }
  void take() {
    auto found = look();
    const std::lock_guard guard(mutex);
    fault = std::move(found);
    next = SteadyClock::now() + kLookAgain;
    under_way = false;
    over.notify_all();
  }
  /// Whether the check ends in time. Waits no longer than kPatienceWithData after its begin.
  bool wait(std::unique_lock<std::mutex>& lock) {
    return over.wait_until(lock, began + kPatienceWithData, [this] { return !under_way; });
  }
};

DataCheck::DataCheck(std::string catalogue) : look_(std::make_shared<Look>()) {
  look_->catalogue = std::move(catalogue);
}

DataCheck::~DataCheck() {
  if (!thread_.joinable()) return;
  std::unique_lock lock(look_->mutex);
  const bool ended = look_->wait(lock);
  lock.unlock();
  ended ? thread_.join() : thread_.detach();
}

std::optional<std::string> DataCheck::fault() {
  const std::lock_guard asking(asking_);
  std::unique_lock lock(look_->mutex);
  if (!look_->under_way && SteadyClock::now() >= look_->next) {
    if (thread_.joinable()) thread_.join();  // it has finished its work
    look_->under_way = true;
    look_->began = SteadyClock::now();
    thread_ = std::thread([look = look_] { look->take(); });
  }
  return look_->wait(lock) ? look_->fault : std::optional<std::string>("the data sets do not answer");
}

}  // namespace http
