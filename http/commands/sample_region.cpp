// roofd sample-region: makes data for trying out the service.
#include <iostream>

#include "geo/sample_region/sample_region.hpp"
#include "http/commands/commands.hpp"
#include "http/commands/configuration.hpp"

namespace http {
namespace {

class SampleConfig : public CommandConfig {
 public:
  SampleConfig() {
    opt_group{custom_options_, "global"}
        .add(options.out_dir, "out", "directory to write into")
        .add(options.seed, "seed", "the same seed gives the same region")
        .add(options.crs, "crs", "EPSG:25832, EPSG:3035 or EPSG:2056")
        .add(options.addresses, "addresses", "main buildings, each with an address (1 to 5000)")
        .add(options.cell_m, "cell-m", "cells of the height models: 1, or 0.5 as Switzerland's");
  }
  geo::SampleRegionOptions options;
};

}  // namespace

int sample_region_command(const Arguments& arguments) {
  SampleConfig config;
  if (const auto code = config.parse_or_exit_code(arguments, "")) return *code;
  const auto refuse = [](const std::string& sentence, int code) {
    std::cerr << "roofd: " << sentence << "\n";
    return code;
  };
  if (config.options.out_dir.empty()) return refuse("--out is missing", 2);
  if (const auto written = geo::write_sample_region(config.options); !written)
    return refuse(written.error().text, 2);
  std::cout << config.options.out_dir << "/geodata.json" << std::endl;
  return 0;
}

}  // namespace http
