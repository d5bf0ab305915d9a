// roofd geodata: official geodata by region, from the offices' servers into a catalogue. What each verb does
// stands in OPERATING.md; the work is done in geo/offices.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "geo/fetch/fetcher.hpp"
#include "geo/offices/acquisition.hpp"
#include "geo/offices/area.hpp"
#include "geo/offices/data_folder.hpp"
#include "geo/offices/listing_store.hpp"
#include "geo/offices/plan.hpp"
#include "geo/offices/recipes.hpp"
#include "http/commands/commands.hpp"
#include "http/commands/configuration.hpp"

namespace http {

/// Exit codes of the verbs, for scripts.
inline constexpr int kGeodataDone = 0, kGeodataFailed = 1, kGeodataRefused = 2, kGeodataNoRoom = 3,
                     kGeodataIncomplete = 4, kGeodataLocked = 5, kGeodataInterrupted = 130;

class GeodataConfig : public CommandConfig {
 public:
  GeodataConfig();

  std::string geodata = "geodata/geodata.json";
  std::string data_dir, area, kinds, place, contact, ca_file;
  bool remote = false, dry_run = false, offline = false, all = false, deep = false;

  geo::offices::DataFolder folder() const { return {geodata}; }
};

/// What a verb works with.
struct GeodataWork {
  const GeodataConfig& config;
  std::vector<geo::offices::Recipe> recipes;
  std::string region;  ///< the verb's argument; may be empty
};

/// kGeodataFailed for what an office or the network does, kGeodataRefused for what the operator can mend.
int exit_code_of(const geo::Failure& failure);

/// The importer of `geo/addresses`, as the acquisition calls it.
geo::Result<std::string> import_addresses(const geo::offices::AddressPackets& packets,
                                          const geo::offices::Source& source,
                                          const geo::offices::DataFolder& folder);

int geodata_list(const GeodataWork& work);    // geodata_list.cpp
int geodata_add(const GeodataWork& work);     // geodata_add.cpp
int geodata_fetch(const GeodataWork& work);   // geodata_add.cpp
int geodata_update(const GeodataWork& work);  // geodata_add.cpp
int geodata_check(const GeodataWork& work);   // geodata_check.cpp
int geodata_status(const GeodataWork& work);  // geodata_check.cpp
int geodata_reload(const GeodataWork& work);  // data_reload.cpp

}  // namespace http
