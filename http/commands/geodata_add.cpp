// roofd geodata add, fetch, update: the plan, and when it is wanted, what it says. The three differ in what
// they begin with: a wish, the index that is there, or the sets that are there with listings asked for anew.
#include <algorithm>
#include <array>
#include <csignal>
#include <ctime>
#include <functional>
#include <iostream>
#include <memory>
#include <set>
#include <sstream>
#include <utility>
#include <variant>

#include "geo/fetch/network.hpp"
#include "geo/fetch/url.hpp"
#include "geo/offices/acquisition.hpp"
#include "geo/offices/catalogue_entries.hpp"
#include "geo/offices/downloads.hpp"
#include "geo/offices/office_network.hpp"
#include "geo/offices/outline_plan.hpp"
#include "geo/offices/tile_plan.hpp"
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

/// Says which office is asked: one that does not answer is waited for, for minutes.
offices::Asking said_aloud(offices::Asking asking) {
  const auto last = std::make_shared<std::string>();
  for (auto* const way : {&asking.text, &asking.folder})
    *way = [ask = std::move(*way), last](const std::string& url) {
      const auto parts = geo::parse_url(url);
      if (parts && parts->host != *last)
        std::cerr << "asking " << (*last = parts->host) << " for its listing" << std::endl;
      return ask(url);
    };
  return asking;
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

geo::Result<offices::SetOutcome> acquire(const offices::SetPlan& set, const offices::DataFolder& folder,
                                         geo::Fetcher& fetcher, GeodataProgress& progress) {
  offices::Listening listening;
  listening.progress = [&](const offices::SetProgress& p) { progress.show(p); };
  listening.note = [&](const std::string& sentence) { progress.say(sentence); };
  geo::RunControl& control = interrupt_control();
  if (set.source->tiled()) return offices::acquire_tiles(set, folder, fetcher, listening, control);
  if (set.source->is_outlines()) return offices::acquire_outlines(set, folder, fetcher, listening, control);
  return offices::acquire_addresses(set, folder, fetcher, import_addresses, listening, control);
}

/// Whether the catalogue says so: tiles that are fetched besides change nothing about it.
bool is_read_at_office(const offices::DataFolder& folder, const offices::Source& source) {
  const auto sets = offices::named_sets(folder);
  return sets && std::any_of(sets->begin(), sets->end(),
                             [&](const offices::NamedSet& set) { return set.id == source.id && set.remote; });
}

/// With the dates of all that the set holds, whatever of it this call was about.
offices::ReadySet ready_set(const offices::SetPlan& set, const offices::SetOutcome& outcome, int today,
                            const offices::DataFolder& folder) {
  const bool remote = set.remote || is_read_at_office(folder, *set.source);
  const int fetched_now = outcome.fetched > 0 ? today : 0;
  return {.source = set.source,
          .file = outcome.file,
          .remote = remote,
          .newest_date =
              set.source->tiled() ? offices::newest_date_of_tiles(set, folder, remote) : outcome.newest_date,
          .fetched = outcome.fetched_on > 0 ? outcome.fetched_on : fetched_now};
}

int carry_out(const offices::Plan& plan, const GeodataWork& work, geo::Fetcher& fetcher) {
  const offices::DataFolder folder = work.config.folder();
  GeodataProgress progress;
  std::vector<offices::ReadySet> ready;
  bool complete = true, no_room = false;
  for (const offices::SetPlan& set : plan.sets) {
    const auto outcome = acquire(set, folder, fetcher, progress);
    if (!outcome) return refuse(outcome.error().text, kGeodataFailed);
    if (report(set, *outcome, progress))
      ready.push_back(ready_set(set, *outcome, plan.today, folder));
    else
      complete = false;
    complete = complete && outcome->refused == 0;
    no_room = no_room || outcome->no_room;
    if (outcome->cancelled) interrupt_control().cancel();  // an importer has heard of it by itself
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
  if (complete) offices::clear_downloads(plan, folder);
  if (!complete)
    return refuse("not all could be had; what has come is kept, the same command tries the rest again",
                  kGeodataIncomplete);
  return kGeodataDone;
}

void say_what_goes(const offices::Cleared& cleared) {
  if (cleared.downloads == 0) return;
  std::cout << "removed the beginnings of " << cleared.downloads
            << " downloads that no call has gone on with for " << offices::kDaysOfAPart
            << " days: " << offices::size_text(cleared.bytes) << " are free again\n";
}

/// What a verb makes of a plan before it is printed: sets and files that it does not mean go.
using Narrowing = std::function<geo::Result<void>(offices::Plan&)>;

/// Prints the plan; carries it out unless it is only asked for.
int plan_and_carry_out(const GeodataWork& work, const offices::Recipe& recipe, const offices::Wish& wish,
                       const Narrowing& narrow = {}) {
  std::signal(SIGINT, end_work);
  std::signal(SIGTERM, end_work);
  const offices::DataFolder folder = work.config.folder();
  Network network(work);
  const bool asks = !work.config.offline;
  const offices::ListingStore listings(
      folder.listings(),
      asks ? said_aloud(offices::asking_by(network.fetcher, interrupt_control())) : offices::Asking());
  auto plan = offices::make_plan(recipe, wish, listings, day_of_today());
  if (!plan) return refuse(plan.error().text, exit_code_of(plan.error()));
  if (narrow)
    if (const auto narrowed = narrow(*plan); !narrowed)
      return refuse(narrowed.error().text, exit_code_of(narrowed.error()));
  for (offices::SetPlan& set : plan->sets)
    if (const auto counted = offices::count_what_is_here(set, folder); !counted)
      return refuse(counted.error().text, kGeodataFailed);
  if (!work.config.dry_run) say_what_goes(offices::clear_abandoned_parts(*plan, folder));
  const std::uint64_t room = folder.free_bytes();
  std::cout << offices::text_of(*plan, room) << std::flush;
  if (work.config.dry_run) return kGeodataDone;
  const bool fetches = std::any_of(plan->sets.begin(), plan->sets.end(),
                                   [](const offices::SetPlan& set) { return !set.remote; });
  if (work.config.offline && fetches)
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

/// The region's sets as the catalogue names them.
geo::Result<std::vector<offices::NamedSet>> sets_of_region(const GeodataWork& work,
                                                           const std::string& region) {
  auto sets = offices::named_sets(work.config.folder());
  if (!sets) return sets;
  std::erase_if(*sets, [&](const offices::NamedSet& set) { return set.region != region; });
  if (sets->empty())
    return geo::fail(
        geo::FailureKind::invalid_input,
        "nothing of " + region + " is here yet; roofd geodata add " + region + " begins with it");
  return sets;
}

const offices::NamedSet* named(const std::vector<offices::NamedSet>& sets, const offices::Source& source) {
  for (const offices::NamedSet& set : sets)
    if (set.id == source.id) return &set;
  return nullptr;
}

/// The plan without what is not in the catalogue.
void keep_named(offices::Plan& plan, const std::vector<offices::NamedSet>& sets) {
  std::erase_if(plan.sets, [&](const offices::SetPlan& set) { return !named(sets, *set.source); });
}

std::optional<int> refused_lock(const GeodataWork& work, std::optional<offices::FolderLock>& lock) {
  if (work.config.dry_run) return {};
  auto taken = offices::FolderLock::take(work.config.folder());
  if (!taken) return refuse(taken.error().text, kGeodataLocked);
  lock.emplace(std::move(*taken));
  return {};
}

struct Beginning {
  const offices::Recipe* recipe = nullptr;
  offices::Wish wish;
  std::optional<offices::FolderLock> lock;
};

/// What all three begin with: the region, the wish, the folder to themselves.
std::variant<Beginning, int> begin(const GeodataWork& work, const std::string& region) {
  Beginning beginning;
  const auto recipe = offices::find_recipe(work.recipes, region);
  if (!recipe) return refuse(recipe.error().text);
  auto wish = wish_of(work.config);
  if (!wish) return refuse(wish.error().text);
  if (const auto code = refused_lock(work, beginning.lock)) return *code;
  beginning.recipe = *recipe;
  beginning.wish = std::move(*wish);
  return beginning;
}

/// What is made as a whole: what a set was made of before is added, or nothing else is left.
void plan_joined(offices::Plan& plan, const offices::DataFolder& folder,
                 const std::function<std::string(offices::SetPlan&, const offices::DataFolder&)>& change) {
  for (offices::SetPlan& set : plan.sets)
    if (set.source->is_joined())
      if (std::string loss = change(set, folder); !loss.empty()) plan.left_out.push_back(std::move(loss));
  std::erase_if(plan.sets, [](const offices::SetPlan& set) { return set.found.files.empty(); });
}

int update_region(const GeodataWork& work, const std::string& region) {
  auto begun = begin(work, region);
  if (const int* code = std::get_if<int>(&begun)) return *code;
  Beginning& beginning = std::get<Beginning>(begun);
  const auto sets = sets_of_region(work, region);
  if (!sets) return refuse(sets.error().text);
  beginning.wish.anew = !work.config.offline;
  for (const offices::NamedSet& set : *sets)
    for (std::size_t k = 0; k < geo::kDataKinds; ++k)
      if (set.kind == geo::name_of(static_cast<geo::DataKind>(k)))
        beginning.wish.kinds.push_back(static_cast<geo::DataKind>(k));
  return plan_and_carry_out(work, *beginning.recipe, beginning.wish,
                            [&](offices::Plan& plan) -> geo::Result<void> {
                              keep_named(plan, *sets);
                              plan_joined(plan, work.config.folder(), offices::keep_known_packets);
                              for (offices::SetPlan& set : plan.sets) {
                                if (!set.source->tiled()) continue;
                                set.remote = named(*sets, *set.source)->remote;
                                if (set.remote) {
                                  offices::count_files(set);
                                  continue;
                                }
                                if (auto kept = offices::keep_known_squares(set, work.config.folder()); !kept)
                                  return kept;
                              }
                              return {};
                            });
}

}  // namespace

int geodata_add(const GeodataWork& work) {
  auto begun = begin(work, work.region);
  if (const int* code = std::get_if<int>(&begun)) return *code;
  const Beginning& beginning = std::get<Beginning>(begun);
  return plan_and_carry_out(work, *beginning.recipe, beginning.wish,
                            [&](offices::Plan& plan) -> geo::Result<void> {
                              plan_joined(plan, work.config.folder(), offices::add_known_packets);
                              return {};
                            });
}

/// Tiles of sets that are there already; those that are read at the office still are, where tiles lack.
int geodata_fetch(const GeodataWork& work) {
  if (work.config.area.empty() && !work.config.all)
    return refuse("roofd geodata fetch needs --area=... or --all");
  auto begun = begin(work, work.region);
  if (const int* code = std::get_if<int>(&begun)) return *code;
  Beginning& beginning = std::get<Beginning>(begun);
  const auto sets = sets_of_region(work, work.region);
  if (!sets) return refuse(sets.error().text);
  beginning.wish.remote = false;
  return plan_and_carry_out(
      work, *beginning.recipe, beginning.wish, [&](offices::Plan& plan) -> geo::Result<void> {
        keep_named(plan, *sets);
        std::erase_if(plan.sets, [](const offices::SetPlan& set) { return !set.source->tiled(); });
        return {};
      });
}

/// Of one region, or of all that are here, one after the other.
int geodata_update(const GeodataWork& work) {
  if (!work.region.empty()) return update_region(work, work.region);
  const auto sets = offices::named_sets(work.config.folder());
  if (!sets) return refuse(sets.error().text);
  std::set<std::string> regions;
  for (const offices::NamedSet& set : *sets) regions.insert(set.region);
  int worst = kGeodataDone;
  for (const std::string& region : regions) {
    if (const int code = update_region(work, region); code != kGeodataDone) worst = code;
    if (interrupt_control().cancelled()) break;
  }
  return worst;
}

}  // namespace http
