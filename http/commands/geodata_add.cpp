// roofd geodata add, fetch, update: the plan, and when it is wanted, what it says. The three differ in what
// they begin with: a wish, the index that is there, or the sets that are there with listings asked for anew.
#include <algorithm>
#include <array>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "geo/fetch/network.hpp"
#include "geo/offices/acquisition.hpp"
#include "geo/offices/catalogue_entries.hpp"
#include "geo/offices/office_network.hpp"
#include "http/commands/geodata.hpp"
#include "http/commands/geodata_progress.hpp"

namespace http {
namespace {

namespace offices = geo::offices;

std::string day_of_today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 16> text{};
  std::strftime(text.data(), text.size(), "%Y%m%d", &parts);
  return text.data();
}

geo::RunControl& interrupt_control() {
  static geo::RunControl control;
  return control;
}

/// The first Ctrl-C ends the work where it can go on; the second ends the process.
void end_work(int signal) {
  interrupt_control().cancel();
  std::signal(signal, SIG_DFL);
}

struct Network {
  explicit Network(const GeodataWork& work)
      : network(offices::network_options(work.recipes, work.config.contact, work.config.ca_file)),
        fetcher(network) {}
  geo::Network network;
  geo::Fetcher fetcher;
};

/// Tells the operator what came of a set; whether it may be named in the catalogue.
bool report(const offices::SetPlan& set, const offices::SetOutcome& outcome, GeodataProgress& progress) {
  progress.end_set();
  const std::string& id = set.source->id;
  for (const std::string& problem : outcome.problems) progress.say("  " + problem);
  std::string line = id + ": " +
                     (set.remote ? "index of " + std::to_string(set.found.files.size()) + " files"
                                 : std::to_string(outcome.held) + " files are here");
  if (outcome.missing > 0)
    line += ", " + std::to_string(outcome.missing) + " squares where the office has none";
  if (outcome.refused > 0) line += ", " + std::to_string(outcome.refused) + " refused";
  if (outcome.failed > 0) line += ", " + std::to_string(outcome.failed) + " could not be had";
  progress.say(line);
  return outcome.complete() && !outcome.file.empty() && (set.remote || outcome.held > 0);
}

geo::Result<offices::SetOutcome> acquire(const offices::SetPlan& set, const offices::Plan& plan,
                                         const offices::DataFolder& folder, geo::Fetcher& fetcher,
                                         GeodataProgress& progress) {
  offices::Listening listening;
  listening.progress = [&](const offices::SetProgress& p) { progress.show(p); };
  listening.note = [&](const std::string& sentence) { progress.say(sentence); };
  geo::RunControl& control = interrupt_control();
  if (set.source->tiled()) return offices::acquire_tiles(set, folder, fetcher, listening, control);
  if (set.source->kind == geo::DataKind::addresses)
    return offices::acquire_addresses(set, folder, fetcher, import_addresses, listening, control);
  return offices::acquire_outlines(set, plan.wish.area, folder, fetcher, listening, control);
}

int carry_out(const offices::Plan& plan, const GeodataWork& work, geo::Fetcher& fetcher) {
  const offices::DataFolder folder = work.config.folder();
  GeodataProgress progress;
  std::vector<offices::ReadySet> ready;
  bool complete = true, no_room = false;
  for (const offices::SetPlan& set : plan.sets) {
    const auto outcome = acquire(set, plan, folder, fetcher, progress);
    if (!outcome) return refuse(outcome.error().text, kGeodataFailed);
    if (report(set, *outcome, progress))
      ready.push_back({set.source, outcome->file, set.remote, outcome->newest_date});
    else
      complete = false;
    complete = complete && outcome->refused == 0;
    no_room = no_room || outcome->no_room;
    if (no_room || interrupt_control().cancelled()) break;
  }
  if (!ready.empty()) {
    const auto named = offices::name_in_catalogue(folder, *plan.recipe, ready);
    if (!named) return refuse(named.error().text, kGeodataFailed);
    std::cout << folder.entries_of(plan.recipe->id).string() << " names " << ready.size()
              << " data sets; catalogue: " << folder.catalogue.string() << "\n";
  }
  if (no_room)
    return refuse("the disk is full; what has come is kept, make room and start again", kGeodataNoRoom);
  if (interrupt_control().cancelled())
    return refuse("stopped; what has come is kept, the same command goes on", kGeodataInterrupted);
  std::error_code error;
  if (complete) std::filesystem::remove_all(folder.downloads(), error);
  if (!complete)
    return refuse("not all could be had; what has come is kept, the same command tries the rest again",
                  kGeodataIncomplete);
  return kGeodataDone;
}

/// Prints the plan; carries it out unless it is only asked for.
int plan_and_carry_out(const GeodataWork& work, const offices::Recipe& recipe, const offices::Wish& wish) {
  std::signal(SIGINT, end_work);
  std::signal(SIGTERM, end_work);
  const offices::DataFolder folder = work.config.folder();
  Network network(work);
  const bool asks = !work.config.offline;
  const offices::ListingStore listings(
      folder.listings(), asks ? offices::asking_by(network.fetcher, interrupt_control()) : offices::Asking());
  const auto plan = offices::make_plan(recipe, wish, listings, day_of_today());
  if (!plan) return refuse(plan.error().text, exit_code_of(plan.error()));
  const std::uint64_t room = folder.free_bytes();
  std::cout << offices::text_of(*plan, room) << std::flush;
  if (work.config.dry_run) return kGeodataDone;
  if (work.config.offline && !wish.remote)
    return refuse(
        "--offline fetches nothing; with --dry-run it prints the plan, with --remote it makes the index");
  if (plan->disk_bytes() > room)
    return refuse("the disk has " + offices::size_text(room) + " free and " +
                      offices::size_text(plan->disk_bytes()) + " are needed; name an --area or fewer --kinds",
                  kGeodataNoRoom);
  return carry_out(*plan, work, network.fetcher);
}

geo::Result<offices::Wish> wish_of(const GeodataConfig& config) {
  offices::Wish wish{.remote = config.remote};
  if (!config.area.empty()) {
    auto area = offices::read_area(config.area);
    if (!area) return tl::make_unexpected(area.error());
    wish.area = std::move(*area);
  }
  std::istringstream kinds(config.kinds);
  for (std::string name; std::getline(kinds, name, ',');) {
    std::optional<geo::DataKind> known;
    for (std::size_t i = 0; i < geo::kDataKinds; ++i)
      if (name == geo::name_of(static_cast<geo::DataKind>(i))) known = static_cast<geo::DataKind>(i);
    if (!known)
      return geo::fail(geo::FailureKind::invalid_input, "--kinds: \"" + name + "\" is no kind of data");
    wish.kinds.push_back(*known);
  }
  return wish;
}

}  // namespace

int geodata_add(const GeodataWork& work) {
  const auto recipe = offices::find_recipe(work.recipes, work.region);
  if (!recipe) return refuse(recipe.error().text);
  const auto wish = wish_of(work.config);
  if (!wish) return refuse(wish.error().text);
  std::optional<offices::FolderLock> lock;
  if (!work.config.dry_run) {
    auto taken = offices::FolderLock::take(work.config.folder());
    if (!taken) return refuse(taken.error().text, kGeodataLocked);
    lock.emplace(std::move(*taken));
  }
  return plan_and_carry_out(work, **recipe, *wish);
}

}  // namespace http
