// Outlines and addresses: files that come whole and are made into one.
#include <algorithm>

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

Packets fetch_packets(const SetPlan& set, const DataFolder& folder, Fetcher& fetcher,
                      const Listening& listening, RunControl& control) {
  const Source& source = *set.source;
  std::vector<FileRequest> requests;
  Packets packets;
  for (const FoundFile& file : set.found.files) {
    FileRequest request;
    request.url = file.listed.url;
    request.target = folder.download_of(file.listed.url);
    request.content = content_of(source);
    if (file.listed.bytes > 0) request.size = file.listed.bytes;
    request.sha256 = file.listed.sha256;
    packets.outcome.newest_date = std::max(packets.outcome.newest_date, file.fields.date);
    packets.files.push_back(request.target);
    requests.push_back(std::move(request));
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

/// A packet that cannot be read must not stand in the next try's way.
void refuse_packets(Packets& packets, const Failure& failure) {
  packets.outcome.problems.push_back(failure.text);
  packets.outcome.cancelled = failure.kind == FailureKind::cancelled;
  if (packets.outcome.cancelled) return;
  packets.outcome.no_room = failure.text.find("is the disk full") != std::string::npos;
  packets.outcome.refused = packets.outcome.held;
  packets.outcome.held = 0;
  std::error_code error;
  if (!packets.outcome.no_room)
    for (const auto& file : packets.files) std::filesystem::remove(file, error);
}

}  // namespace

Result<SetOutcome> acquire_outlines(const SetPlan& set, const std::optional<Area>& area,
                                    const DataFolder& folder, Fetcher& fetcher, const Listening& listening,
                                    RunControl& control) {
  Packets packets = fetch_packets(set, folder, fetcher, listening, control);
  if (!packets.outcome.complete()) return packets.outcome;
  const std::string name = set.source->id + ".gpkg";
  if (listening.note)
    listening.note(set.source->id + ": joining " + std::to_string(packets.files.size()) + " packets");
  const Box* window = area ? &area->box_deg : nullptr;
  const auto joined =
      join_outlines(*set.source, packets.files, window, folder.downloads() / (set.source->id + ".parts"),
                    folder.root() / name, control);
  if (joined)
    packets.outcome.file = name;
  else
    refuse_packets(packets, joined.error());
  return packets.outcome;
}

Result<SetOutcome> acquire_addresses(const SetPlan& set, const DataFolder& folder, Fetcher& fetcher,
                                     const ImportAddresses& import, const Listening& listening,
                                     RunControl& control) {
  Packets packets = fetch_packets(set, folder, fetcher, listening, control);
  if (!packets.outcome.complete()) return packets.outcome;
  if (listening.note) listening.note(set.source->id + ": importing addresses");
  const auto imported = import(packets.files.front().string(), *set.source, folder);
  if (imported)
    packets.outcome.file = *imported;
  else
    refuse_packets(packets, imported.error());
  return packets.outcome;
}

}  // namespace geo::offices
