// The public pages' data about this particular service: its addresses and its configured limits.
#pragma once
#include <string>
#include <string_view>

#include "actors/options.hpp"
#include "http/api/links.hpp"

namespace http {

inline constexpr auto kDescriptionVersion = "1.1.0";  ///< of the machine-readable description

struct PageContext {
  Links links;
  actors::ActorOptions options;
  bool has_imprint = false, has_privacy = false;  ///< the operator gave these texts

  /// Replaces {base_url} and {web_url} with our addresses.
  std::string filled(std::string_view text) const;
};

}  // namespace http
