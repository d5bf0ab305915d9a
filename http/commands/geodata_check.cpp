// roofd geodata check and status: what is here, and whether it is sound. They ask nobody.
#include <array>
#include <charconv>
#include <cstdio>
#include <iostream>

#include "geo/offices/set_check.hpp"
#include "http/commands/geodata.hpp"

namespace http {
namespace {

namespace offices = geo::offices;

constexpr std::size_t kComparedTiles = 20, kComparedTilesDeep = 500;

/// "16.37,48.21"
std::optional<geo::LonLat> place_in(const std::string& text) {
  geo::LonLat place;
  const char* const end = text.data() + text.size();
  const auto lon = std::from_chars(text.data(), end, place.lon_deg);
  if (lon.ec != std::errc() || lon.ptr == end || *lon.ptr != ',') return {};
  const auto lat = std::from_chars(lon.ptr + 1, end, place.lat_deg);
  if (lat.ec != std::errc() || lat.ptr != end) return {};
  return place;
}

/// The sets of the region that is asked for, or of all.
geo::Result<std::vector<offices::NamedSet>> sets_asked_for(const GeodataWork& work) {
  auto sets = offices::named_sets(work.config.folder());
  if (sets && !work.region.empty())
    std::erase_if(*sets, [&](const offices::NamedSet& set) { return set.region != work.region; });
  if (sets && sets->empty())
    return geo::fail(geo::FailureKind::invalid_input, work.config.folder().entries_folder().string() +
                                                          " names no data set; roofd geodata add makes some");
  return sets;
}

bool tell(const offices::Finding& finding) {
  std::cout << (finding.is_fault ? "FAULT  " : "ok     ") << finding.text << "\n";
  return finding.is_fault;
}

int print_served(const GeodataWork& work) {
  const auto place = place_in(work.config.place);
  if (!place) return refuse("--place=" + work.config.place + " is no lon,lat in degrees");
  const auto lines = offices::served_by(work.config.folder(), *place);
  if (!lines) return refuse(lines.error().text, kGeodataFailed);
  for (const std::string& line : *lines) std::cout << line << "\n";
  return kGeodataDone;
}

}  // namespace

int geodata_check(const GeodataWork& work) {
  if (!work.config.place.empty()) return print_served(work);
  const auto sets = sets_asked_for(work);
  if (!sets) return refuse(sets.error().text);
  const offices::DataFolder folder = work.config.folder();
  const geo::RunControl control;
  bool faults = false;
  for (const offices::NamedSet& set : *sets)
    for (const offices::Finding& finding : offices::check_set(set, folder, work.config.deep, control))
      faults = tell(finding) || faults;
  for (const offices::NamedSet& dsm : *sets)
    for (const offices::NamedSet& dtm : *sets)
      if (dsm.kind == "dsm" && dtm.kind == "dtm" && dsm.region == dtm.region)
        faults = tell(offices::compare_heights(dsm, dtm, folder,
                                               work.config.deep ? kComparedTilesDeep : kComparedTiles)) ||
                 faults;
  return faults ? kGeodataFailed : kGeodataDone;
}

int geodata_status(const GeodataWork& work) {
  const auto sets = sets_asked_for(work);
  if (!sets) return refuse(sets.error().text);
  const auto line = [](const std::array<std::string, 6>& cells) {
    std::array<char, 200> text{};
    std::snprintf(text.data(), text.size(), "%-22s %9s %10s %9s %9s  %s\n", cells[0].c_str(),
                  cells[1].c_str(), cells[2].c_str(), cells[3].c_str(), cells[4].c_str(), cells[5].c_str());
    std::cout << text.data();
  };
  line({"set", "here", "at office", "missing", "on disk", "years"});
  bool faults = false;
  for (const offices::NamedSet& set : *sets) {
    const auto status = offices::status_of(set, work.config.folder());
    if (!status) {
      std::cout << set.id << ": " << status.error().text << "\n";
      faults = true;
      continue;
    }
    const std::string years = status->newest_year == 0 ? "-"
                                                       : std::to_string(status->oldest_year) + "-" +
                                                             std::to_string(status->newest_year);
    line({set.id, std::to_string(status->held), std::to_string(status->known),
          std::to_string(status->missing), offices::size_text(status->bytes),
          years + (set.remote ? ", read at the office" : "")});
  }
  return faults ? kGeodataFailed : kGeodataDone;
}

}  // namespace http
