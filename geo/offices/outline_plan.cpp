#include "geo/offices/outline_plan.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "geo/offices/outline_record.hpp"

namespace geo::offices {
namespace {

bool holds_packet(const std::vector<FoundFile>& packets, const FoundFile& packet) {
  return std::any_of(packets.begin(), packets.end(),
                     [&](const FoundFile& one) { return is_same_packet(one, packet); });
}

/// A packet without a district's or municipality's number, or a place, belongs to every area.
bool comes_by_area(const FoundFile& packet) { return !packet.fields.key.empty() || packet.listed.place; }

/// The record's packets as they are listed now, beyond those that the plan has already. Those that were not
/// asked for are as they were.
std::vector<FoundFile> known_packets(const SetPlan& set, const OutlineRecord& record) {
  std::vector<FoundFile> known;
  for (const FoundFile& packet : set.beyond)
    if (holds_packet(record.packets, packet)) known.push_back(packet);
  if (set.all_listed) return known;
  for (const FoundFile& packet : record.packets)
    if (!holds_packet(set.found.files, packet) && !holds_packet(known, packet)) known.push_back(packet);
  return known;
}

void add_files(std::vector<FoundFile> more, SetPlan& set) {
  std::move(more.begin(), more.end(), std::back_inserter(set.found.files));
}

/// Of packets that belong to every area none is missed: another one stands in its place.
std::string missed_packets(const SetPlan& set, const OutlineRecord& record) {
  const auto& files = set.found.files;
  const auto missed = std::count_if(record.packets.begin(), record.packets.end(),
                                    [&](const FoundFile& one) { return !holds_packet(files, one); });
  if (missed == 0 || std::none_of(files.begin(), files.end(), comes_by_area)) return {};
  return set.source->id + ": " + std::to_string(missed) +
         " of the packets of which it was made are not listed any more; it will be without what they held";
}

/// A service whose table is being filled counts what is there so far. Takes the plan's packets away then, and
/// says so.
std::string leave_as_it_is(SetPlan& set, const OutlineRecord& record) {
  constexpr std::size_t kTenths = 9;  // of the pages of which the set was made
  const std::size_t now = set.found.files.size(), before = record.packets.size();
  if (set.source->find.method != FindMethod::features || 10 * now >= kTenths * before) return {};
  set.found.files.clear();
  count_files(set);
  return set.source->id + ": the service has " + std::to_string(now) +
         " pages of features now, and the set was made of " + std::to_string(before) +
         "; it stays as it is. If that is right, remove listings/" + set.source->id +
         ".made and add it again";
}

}  // namespace

std::string add_known_packets(SetPlan& set, const DataFolder& folder) {
  const auto record = read_outline_record(*set.source, folder);
  if (!record) return {};
  if (std::string loss = leave_as_it_is(set, *record); !loss.empty()) return loss;
  add_files(known_packets(set, *record), set);
  if (!record->window_deg)
    set.window_deg.reset();
  else if (set.window_deg)
    set.window_deg = set.window_deg->united(*record->window_deg);
  const bool here = !set.anew && same_outlines(*record, {set.found.files, set.window_deg});
  for (FoundFile& file : set.found.files) file.is_here = here;
  count_files(set);
  return missed_packets(set, *record);
}

std::string keep_known_packets(SetPlan& set, const DataFolder& folder) {
  const auto record = read_outline_record(*set.source, folder);
  if (!record) {
    set.found.files.clear();
    return set.source->id +
           ": of what it was made is not known any more; it stays as it is until it is added again";
  }
  if (std::string loss = leave_as_it_is(set, *record); !loss.empty()) return loss;
  auto known = known_packets(set, *record);
  std::erase_if(set.found.files, [&](const FoundFile& file) {
    return comes_by_area(file) && !holds_packet(record->packets, file);
  });
  add_files(std::move(known), set);
  set.window_deg = record->window_deg;
  count_files(set);
  if (set.found.files.empty())
    return set.source->id + ": none of its packets is listed any more; it stays as it is";
  return missed_packets(set, *record);
}

}  // namespace geo::offices
