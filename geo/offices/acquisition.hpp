// Fetches what a plan says. Each file counts once it is checked, in its place and written down; whatever
// stops the work in between (Ctrl-C, kill -9, a full disk, an office that is down), the next call goes on
// from there.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "geo/failure.hpp"
#include "geo/fetch/fetcher.hpp"
#include "geo/offices/data_folder.hpp"
#include "geo/offices/plan.hpp"
#include "geo/run_control.hpp"

namespace geo::offices {

struct SetProgress {
  std::string set;
  std::size_t files = 0, done = 0;
  std::uint64_t bytes = 0;  ///< received
};

struct Listening {
  std::function<void(const SetProgress&)> progress;
  std::function<void(const std::string&)> note;  ///< a sentence, while it happens
};

struct SetOutcome {
  std::size_t held = 0;               ///< files of the plan that are here now, if only as they were before
  std::size_t fetched = 0;            ///< of them, in this call
  std::size_t missing = 0;            ///< squares for which the office has nothing
  std::size_t refused = 0;            ///< files that are not what they should be, or are listed and not there
  std::size_t failed = 0;             ///< files that could not be had
  std::vector<std::string> problems;  ///< a sentence each, the first twenty
  bool no_room = false, cancelled = false;
  int newest_date = 0;  ///< of the files that are here or known
  int fetched_on = 0;   ///< YYYYMMDD: when the newest of the packets came that were made into the set now
  std::string file;     ///< relative to the folder's root: what the catalogue names
  /// Nothing is left that another call could bring.
  bool complete() const { return failed == 0 && !no_room && !cancelled; }
};

/// An office's address files for the importer. `made_ready` unpacks one when its turn has come, and gives
/// back what is to be read.
struct AddressPackets {
  std::vector<std::string> files;
  std::function<Result<std::string>(const std::string& file)> made_ready;
};
/// Imports them (the importer's matter) in the source's form into the folder's register. Gives back the
/// register's file relative to the folder's root.
using ImportAddresses = std::function<Result<std::string>(const AddressPackets& packets, const Source& source,
                                                          const DataFolder& folder)>;

/// Tiles of rasters. Rows of squares whose file is a newer one now are replaced. With `set.remote` only the
/// index is made. With `set.anew` squares that the office lacked are asked for again, and files of which the
/// listing tells neither size nor sum are asked for their ETag. Fails when the index cannot be written; all
/// else is told in the outcome.
Result<SetOutcome> acquire_tiles(const SetPlan& set, const DataFolder& folder, Fetcher& fetcher,
                                 const Listening& listening, RunControl& control);

/// Outlines of buildings and parcels: the plan's packets and no others (outline_plan.hpp), joined into one
/// GeoPackage. Packets remain among the downloads, where another set may need them.
Result<SetOutcome> acquire_outlines(const SetPlan& set, const DataFolder& folder, Fetcher& fetcher,
                                    const Listening& listening, RunControl& control);

/// Whether acquire_addresses() has nothing to fetch: a register that is here is asked for anew by an update
/// alone, or when it is made of more packets now.
bool are_addresses_here(const SetPlan& set, const DataFolder& folder);

Result<SetOutcome> acquire_addresses(const SetPlan& set, const DataFolder& folder, Fetcher& fetcher,
                                     const ImportAddresses& import, const Listening& listening,
                                     RunControl& control);

}  // namespace geo::offices
