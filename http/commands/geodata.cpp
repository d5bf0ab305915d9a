#include "http/commands/geodata.hpp"

#include <algorithm>
#include <array>
#include <iostream>

#include "http/commands/import_addresses.hpp"

#include "geo/fetch/network.hpp"

namespace http {
namespace {

struct Verb {
  const char* name;
  int (*run)(const GeodataWork&);
  bool takes_region;
  bool needs_region;
  const char* what;
};

constexpr std::array kVerbs{
    Verb{"list", geodata_list, true, false, "the regions there are, or what one offers"},
    Verb{"add", geodata_add, true, true,
         "print a plan, fetch a region's data and name them in the catalogue"},
    Verb{"fetch", geodata_fetch, true, true, "more tiles of a region that is there"},
    Verb{"update", geodata_update, true, false, "what the offices have anew"},
    Verb{"check", geodata_check, true, false, "whether what is here is sound; what would serve a --place"},
    Verb{"status", geodata_status, true, false, "how much is here"},
    Verb{"reload", geodata_reload, false, false, "a running service takes its changed catalogue"},
};

constexpr const char* kImportVerb = "import-addresses";

const Verb* verb_called(const std::string& name) {
  const auto* const verb =
      std::find_if(kVerbs.begin(), kVerbs.end(), [&](const Verb& v) { return v.name == name; });
  return verb == kVerbs.end() ? nullptr : verb;
}

int print_geodata_usage(std::ostream& out, int code) {
  out << "usage: roofd geodata VERB [REGION] [--option=value ...]\n\n";
  for (const Verb& verb : kVerbs) out << "  " << verb.name << "\t" << verb.what << "\n";
  out << "  " << kImportVerb
      << "\tmake an address index of an office's register; it has options of its own\n";
  out << "\nroofd geodata list --help lists the options.\n";
  return code;
}

}  // namespace

GeodataConfig::GeodataConfig() {
  opt_group{custom_options_, "global"}
      .add(geodata, "geodata", "the catalogue; what is fetched lies beside it")
      .add(data_dir, "data-dir", "reload: the running service's")
      .add(area, "area", "a part of the region: a larger town, lon,lat,RADIUSkm or west,south,east,north")
      .add(kinds, "kinds",
           "by commas: dsm, dtm, buildings, parcels, addresses, orthophoto, relief; all but pictures")
      .add(remote, "remote", "add: what can be read at the office stays there")
      .add(dry_run, "dry-run", "add, fetch, update: print the plan and end")
      .add(offline, "offline", "ask nobody; listings must have been fetched before")
      .add(all, "all", "fetch: all that the index knows")
      .add(deep, "deep", "check: read every tile")
      .add(place, "place", "check: lon,lat; says what would serve this place")
      .add(contact, "contact", "how the offices reach you, for the User-Agent")
      .add(ca_file, "ca", "PEM file of certificates, for offices whose chain is incomplete");
}

int exit_code_of(const geo::Failure& failure) {
  switch (failure.kind) {
    case geo::FailureKind::invalid_input:
      return kGeodataRefused;
    case geo::FailureKind::cancelled:
      return kGeodataInterrupted;
    default:
      return kGeodataFailed;
  }
}

int geodata_command(const Arguments& arguments) {
  if (arguments.empty()) return print_geodata_usage(std::cerr, kGeodataRefused);
  if (arguments[0] == "--help") return print_geodata_usage(std::cout, kGeodataDone);
  if (arguments[0] == kImportVerb) return import_addresses_command({arguments.begin() + 1, arguments.end()});
  const Verb* verb = verb_called(arguments[0]);
  if (!verb) {
    std::cerr << "roofd: \"" << arguments[0] << "\" is not a verb of geodata\n";
    return print_geodata_usage(std::cerr, kGeodataRefused);
  }
  const bool named = verb->takes_region && arguments.size() > 1 && !arguments[1].starts_with("--");
  GeodataConfig config;
  if (const auto code = config.parse_or_exit_code({arguments.begin() + (named ? 2 : 1), arguments.end()}, ""))
    return *code;
  if (verb->needs_region && !named)
    return refuse(std::string("roofd geodata ") + verb->name +
                  " is followed by a region; roofd geodata list names them");
  if (config.offline) geo::go_offline();
  auto recipes = geo::offices::all_recipes(config.folder().recipes());
  if (!recipes) return refuse(recipes.error().text);
  return verb->run({config, std::move(*recipes), named ? arguments[1] : std::string()});
}

}  // namespace http
