#include "http/commands/fresh_geodata.hpp"

#include <utility>

namespace http {

FreshGeodata::FreshGeodata(geo::Geodata first, Read read, actors::LogPtr log)
    : read_(std::move(read)),
      live_(std::make_shared<geo::LiveGeodata>(std::move(first))),
      log_(std::move(log)) {}

bool FreshGeodata::refresh() {
  if (as_read()) {
    told_.clear();
    return true;
  }
  std::vector<std::string> faults;
  auto geodata = read_(faults);
  if (faults != told_)
    for (const std::string& fault : faults)
      log_->write(actors::LogLevel::error, actors::LogLine("geodata").field("reason", fault));
  told_ = std::move(faults);
  if (!geodata) return false;
  live_->exchange(std::move(*geodata));
  log_->write(actors::LogLevel::info,
              actors::LogLine("geodata").field("note", "the catalogue was taken anew"));
  return true;
}

}  // namespace http
