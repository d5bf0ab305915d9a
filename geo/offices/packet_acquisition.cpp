// Outlines and addresses: files that come whole and are made into one.
#include <algorithm>

#include "geo/address_import/row_format.hpp"
#include "geo/offices/acquisition.hpp"
#include "geo/offices/downloads.hpp"
#include "geo/offices/office_network.hpp"
#include "geo/offices/outline_joining.hpp"
#include "geo/offices/outline_record.hpp"
#include "geo/offices/page_watch.hpp"
#include "geo/offices/unpacking.hpp"

namespace geo::offices {
namespace {

constexpr std::size_t kMostSentences = 20;

struct Packets {
  std::vector<std::filesystem::path> files;
  SetOutcome outcome;
};

int newest_date_of(const std::vector<FoundFile>& files) {
  int date = 0;
  for (const FoundFile& file : files) date = std::max(date, file.fields.date);
  return date;
}

void count_failure(const Failure& failure, SetOutcome& outcome) {
  outcome.cancelled = outcome.cancelled || failure.kind == FailureKind::cancelled;
  if (failure.kind == FailureKind::cancelled) return;
  outcome.no_room = outcome.no_room || failure.no_room;
  ++outcome.failed;
  if (outcome.problems.size() < kMostSentences) outcome.problems.push_back(failure.text);
}

/// Some services refuse a page behind their last (400, 404). A server that is busy or silent has said
/// nothing.
bool is_clear_no(const FetchFailure& failure) {
  return failure.status >= 400 && failure.status < 500 && !failure.passes;
}

Packets fetch_packets(const SetPlan& set, const DataFolder& folder, Fetcher& fetcher,
                      const Listening& listening, RunControl& control) {
  const Source& source = *set.source;
  std::vector<FileRequest> requests;
  Packets packets;
  packets.outcome.newest_date = newest_date_of(set.found.files);
  const auto since = oldest_good_download(set, folder);
  for (const FoundFile& file : set.found.files) {
    FileRequest request = request_of(source, file.listed, folder);
    request.replace = request.sha256.empty() && !was_written_since(since, request.target);
    packets.files.push_back(request.target);
    requests.push_back(std::move(request));
  }
  PageWatch watch(set, folder);
  if (auto behind = watch.request_behind()) requests.push_back(std::move(*behind));
  FetchListeners listeners;
  listeners.on_progress = [&](const FetchProgress& p) {
    if (listening.progress) listening.progress({source.id, p.files, p.done + p.failed, p.bytes});
  };
  listeners.on_wait = listening.note;
  listeners.is_worth_asking = [&](std::size_t) { return watch.goes_on(); };
  listeners.on_file = [&](std::size_t i, const FetchResult<FetchedFile>& result) {
    if (result) watch.came(i);
  };
  const auto results = fetcher.files(requests, listeners, control);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!watch.of(i)) {
      count_failure(watch.of(i).error(), packets.outcome);
    } else if (watch.is_behind(i) &&
               (results[i] || is_clear_no(results[i].error()) || packets.outcome.failed > 0)) {
      continue;  // it is no packet: it counts only where nothing else tells that the set is not whole
    } else if (!results[i]) {
      count_failure(results[i].error(), packets.outcome);
    } else {
      ++packets.outcome.held;
      if (!results[i]->was_there) ++packets.outcome.fetched;
    }
  }
  if (const auto whole = watch.finish(); !whole) count_failure(whole.error(), packets.outcome);
  for (const auto& file : packets.files)
    packets.outcome.fetched_on = std::max(packets.outcome.fetched_on, day_written(file));
  return packets;
}

/// A packet that cannot be read must not stand in the next try's way. `packet`: that one; the others stay, a
/// country's are gigabytes.
void refuse_packets(Packets& packets, const Failure& failure, const std::filesystem::path& packet) {
  packets.outcome.problems.push_back(failure.text);
  packets.outcome.cancelled = failure.kind == FailureKind::cancelled;
  if (packets.outcome.cancelled) return;
  packets.outcome.no_room = failure.no_room;
  packets.outcome.refused = packets.outcome.held;
  packets.outcome.held = 0;
  std::error_code error;
  if (!packets.outcome.no_room && failure.kind == FailureKind::invalid_input && !packet.empty())
    std::filesystem::remove(packet, error);
}

/// The packet that a sentence is about; none when it is about something else, as a disk that is full.
std::filesystem::path packet_named_in(const std::string& sentence,
                                      const std::vector<std::filesystem::path>& packets) {
  const auto named = std::find_if(packets.begin(), packets.end(), [&](const auto& packet) {
    return sentence.find(packet.string()) != std::string::npos;
  });
  return named == packets.end() ? std::filesystem::path() : *named;
}

/// The layers that the form names, in a folder of their own.
Result<std::string> unpacked_addresses(const Source& source, const std::string& packet,
                                       const std::filesystem::path& workplace) {
  const auto mapping = column_mapping(source.import_as.substr(source.import_as.find(':') + 1));
  if (!mapping) return tl::make_unexpected(mapping.error());
  std::vector<std::string> layers;
  for (const std::string& layer : {mapping->layer, mapping->within})
    if (!layer.empty()) layers.push_back(layer);
  const auto files = unpacked(packet, layers, workplace);
  if (!files) return tl::make_unexpected(files.error());
  return workplace.string();
}

}  // namespace

Result<SetOutcome> acquire_outlines(const SetPlan& set, const DataFolder& folder, Fetcher& fetcher,
                                    const Listening& listening, RunControl& control) {
  const Source& source = *set.source;
  const auto& files = set.found.files;
  const OutlineRecord made{files, set.window_deg};
  const auto before = read_outline_record(source, folder);
  if (before && !set.anew && same_outlines(*before, made)) {
    SetOutcome outcome;
    outcome.held = files.size();
    outcome.file = source.id + ".gpkg";
    outcome.newest_date = newest_date_of(before->packets);
    return outcome;
  }
  Packets packets = fetch_packets(set, folder, fetcher, listening, control);
  if (!packets.outcome.complete()) return packets.outcome;
  if (listening.note) listening.note(source.id + ": joining " + std::to_string(files.size()) + " packets");
  const auto joined = join_outlines(source, packets.files, set.window_deg ? &*set.window_deg : nullptr,
                                    workplace_of(source, folder), folder.index_of(source), control);
  if (!joined) {
    refuse_packets(packets, joined.error(), joined.error().packet);
    return packets.outcome;
  }
  if (const auto noted = write_outline_record(made, source, folder); !noted)
    return tl::make_unexpected(noted.error());
  packets.outcome.file = source.id + ".gpkg";
  return packets.outcome;
}

bool are_addresses_here(const SetPlan& set, const DataFolder& folder) {
  std::error_code error;
  if (set.anew || !std::filesystem::exists(folder.addresses_of(*set.source), error)) return false;
  if (!set.source->is_joined()) return true;
  const auto before = read_outline_record(*set.source, folder);
  return before && same_outlines(*before, {set.found.files, set.window_deg});
}

Result<SetOutcome> acquire_addresses(const SetPlan& set, const DataFolder& folder, Fetcher& fetcher,
                                     const ImportAddresses& import, const Listening& listening,
                                     RunControl& control) {
  const Source& source = *set.source;
  if (are_addresses_here(set, folder)) {
    SetOutcome outcome;
    outcome.held = set.found.files.size();
    outcome.file = folder.addresses_of(source).filename();
    return outcome;
  }
  Packets packets = fetch_packets(set, folder, fetcher, listening, control);
  if (!packets.outcome.complete()) return packets.outcome;
  if (listening.note) listening.note(source.id + ": importing addresses");
  AddressPackets ready;
  for (const auto& file : packets.files) ready.files.push_back(file.string());
  ready.made_ready = [&](const std::string& file) -> Result<std::string> {
    if (source.form != FileForm::vector || !source.zipped) return file;
    return unpacked_addresses(source, file, workplace_of(source, folder));
  };
  const auto imported = import(ready, source, folder);
  std::error_code error;
  std::filesystem::remove_all(workplace_of(source, folder), error);
  if (!imported) {
    refuse_packets(packets, imported.error(), packet_named_in(imported.error().text, packets.files));
    return packets.outcome;
  }
  if (source.is_joined())
    if (const auto noted = write_outline_record({set.found.files, set.window_deg}, source, folder); !noted)
      return tl::make_unexpected(noted.error());
  packets.outcome.file = *imported;
  return packets.outcome;
}

}  // namespace geo::offices
