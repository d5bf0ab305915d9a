// How tiles are read at the offices' servers: [offices] in roofd.conf. Only sets that the catalogue calls
// remote do so.
#pragma once
#include <caf/config_option_adder.hpp>
#include <cstdint>
#include <optional>
#include <string>

namespace http {

struct OfficeConfig {
  std::string cache;  ///< folder of the blocks that were read; empty: "offices" in the data directory
  std::uint32_t cache_gb = 20;
  bool offline = false;
  std::string contact, ca_file;

  void add_to(caf::config_option_set& options);
  /// A sentence about the first option with an invalid value.
  std::optional<std::string> fault() const;
  /// From now on this process reads /vsioffice/ paths. `geodata`: the catalogue, beside which an operator's
  /// own recipes lie; they say what each office bears. Fails with a sentence about those.
  std::optional<std::string> begin(const std::string& geodata, const std::string& data_dir) const;
};

}  // namespace http
