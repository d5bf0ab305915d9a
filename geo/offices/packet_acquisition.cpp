// Outlines and addresses: files that come whole and are made into one.
#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "geo/offices/acquisition.hpp"
#include "geo/offices/office_network.hpp"
#include "geo/offices/outline_joining.hpp"

namespace geo::offices {
namespace {

constexpr std::size_t kMostSentences = 20;

struct Packets {
  std::vector<std::filesystem::path> files;
  SetOutcome outcome;
};

/// Of what a set's outlines were made: which packets, and how much of them was kept. An area that is added
/// later makes it grow.
struct MadeOf {
  std::set<std::string> urls;
  std::optional<Box> window_deg;  ///< nothing: all
  friend bool operator==(const MadeOf&, const MadeOf&) = default;
};

std::filesystem::path note_of(const Source& source, const DataFolder& folder) {
  return folder.listings() / (source.id + ".made");
}

/// Nothing when it was never made, or nobody knows any more of what.
std::optional<MadeOf> made_before(const Source& source, const DataFolder& folder) {
  std::error_code error;
  std::ifstream in(note_of(source, folder));
  if (!std::filesystem::exists(folder.index_of(source), error) || !in) return {};
  std::string word;
  std::getline(in, word);
  MadeOf made;
  if (word != "all") {
    std::istringstream numbers(word);
    Box box;
    if (!(numbers >> box.min_x >> box.min_y >> box.max_x >> box.max_y)) return {};
    made.window_deg = box;
  }
  for (std::string url; std::getline(in, url);) made.urls.insert(url);
  return made;
}

Result<void> note_down(const MadeOf& made, const Source& source, const DataFolder& folder) {
  std::ostringstream text;
  text.precision(17);
  if (const auto& box = made.window_deg)
    text << box->min_x << ' ' << box->min_y << ' ' << box->max_x << ' ' << box->max_y << '\n';
  else
    text << "all\n";
  for (const std::string& url : made.urls) text << url << '\n';
  return write_whole(note_of(source, folder), text.str());
}

MadeOf grown(const std::optional<MadeOf>& before, const SetPlan& set, const std::optional<Area>& area) {
  MadeOf made;
  if (before) made = *before;
  if (!area || (before && !before->window_deg))
    made.window_deg.reset();
  else
    made.window_deg = before ? before->window_deg->united(area->box_deg) : area->box_deg;
  for (const FoundFile& file : set.found.files) made.urls.insert(file.listed.url);
  return made;
}

std::vector<FoundFile> packets_of(const MadeOf& made, const SetPlan& set) {
  std::vector<FoundFile> files = set.found.files;
  for (const std::string& url : made.urls)
    if (std::none_of(files.begin(), files.end(),
                     [&](const FoundFile& file) { return file.listed.url == url; }))
      files.push_back({.listed = {.url = url}});
  return files;
}

Packets fetch_packets(const Source& source, const std::vector<FoundFile>& files, const DataFolder& folder,
                      Fetcher& fetcher, const Listening& listening, RunControl& control) {
  std::vector<FileRequest> requests;
  Packets packets;
  for (const FoundFile& file : files) {
    requests.push_back(request_of(source, file.listed, folder));
    packets.outcome.newest_date = std::max(packets.outcome.newest_date, file.fields.date);
    packets.files.push_back(requests.back().target);
  }
  FetchListeners listeners;
  listeners.on_progress = [&](const FetchProgress& p) {
    if (listening.progress) listening.progress({source.id, p.files, p.done + p.failed, p.bytes});
  };
  listeners.on_wait = listening.note;
  const auto results = fetcher.files(requests, listeners, control);
  for (const auto& result : results) {
    if (result) {
      ++packets.outcome.held;
      if (!result->was_there) ++packets.outcome.fetched;
      continue;
    }
    if (result.error().kind == FailureKind::cancelled) {
      packets.outcome.cancelled = true;
      continue;
    }
    packets.outcome.no_room = packets.outcome.no_room || result.error().kind == FailureKind::invalid_input;
    ++packets.outcome.failed;
    if (packets.outcome.problems.size() < kMostSentences)
      packets.outcome.problems.push_back(result.error().text);
  }
  return packets;
}

/// A packet that cannot be read must not stand in the next try's way. `packet`: that one; the others stay, a
/// country's are gigabytes.
void refuse_packets(Packets& packets, const Failure& failure, const std::filesystem::path& packet) {
  packets.outcome.problems.push_back(failure.text);
  packets.outcome.cancelled = failure.kind == FailureKind::cancelled;
  if (packets.outcome.cancelled) return;
  packets.outcome.no_room = failure.text.find("is the disk full") != std::string::npos;
  packets.outcome.refused = packets.outcome.held;
  packets.outcome.held = 0;
  std::error_code error;
  if (!packets.outcome.no_room && failure.kind == FailureKind::invalid_input && !packet.empty())
    std::filesystem::remove(packet, error);
}

}  // namespace

Result<SetOutcome> acquire_outlines(const SetPlan& set, const std::optional<Area>& area,
                                    const DataFolder& folder, Fetcher& fetcher, const Listening& listening,
                                    RunControl& control) {
  const Source& source = *set.source;
  const auto before = made_before(source, folder);
  const MadeOf made = grown(before, set, area);
  const auto files = packets_of(made, set);
  if (before == made && !set.anew) {
    SetOutcome outcome;
    outcome.held = files.size();
    outcome.file = source.id + ".gpkg";
    for (const FoundFile& file : files) outcome.newest_date = std::max(outcome.newest_date, file.fields.date);
    return outcome;
  }
  Packets packets = fetch_packets(source, files, folder, fetcher, listening, control);
  if (!packets.outcome.complete()) return packets.outcome;
  if (listening.note) listening.note(source.id + ": joining " + std::to_string(files.size()) + " packets");
  const auto joined =
      join_outlines(source, packets.files, made.window_deg ? &*made.window_deg : nullptr,
                    folder.downloads() / (source.id + ".parts"), folder.index_of(source), control);
  if (!joined) {
    refuse_packets(packets, joined.error(), joined.error().packet);
    return packets.outcome;
  }
  if (const auto noted = note_down(made, source, folder); !noted) return tl::make_unexpected(noted.error());
  packets.outcome.file = source.id + ".gpkg";
  return packets.outcome;
}

Result<SetOutcome> acquire_addresses(const SetPlan& set, const DataFolder& folder, Fetcher& fetcher,
                                     const ImportAddresses& import, const Listening& listening,
                                     RunControl& control) {
  std::error_code error;
  if (!set.anew && std::filesystem::exists(folder.addresses_of(*set.source), error)) {
    SetOutcome outcome;
    outcome.held = 1;
    outcome.file = folder.addresses_of(*set.source).filename();
    return outcome;
  }
  Packets packets = fetch_packets(*set.source, set.found.files, folder, fetcher, listening, control);
  if (!packets.outcome.complete()) return packets.outcome;
  if (listening.note) listening.note(set.source->id + ": importing addresses");
  const auto imported = import(packets.files.front().string(), *set.source, folder);
  if (imported)
    packets.outcome.file = *imported;
  else
    refuse_packets(packets, imported.error(), packets.files.front());
  return packets.outcome;
}

}  // namespace geo::offices
