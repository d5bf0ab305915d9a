// An option in words: the list of `roofd COMMAND --help`, and what a value must be.
#pragma once
#include <caf/config_option_set.hpp>
#include <string>

namespace http {

/// As in "--http.port=NUMBER".
std::string flag_of(const caf::config_option& option);

/// What its value may be, as in "a whole number from 0 to 65535".
std::string values_of(const caf::config_option& option);

/// A line for each option of `all` that `hidden` has not: flag, meaning and, in brackets, the value that it
/// has now.
std::string help_of(const caf::config_option_set& all, const caf::config_option_set& hidden);

}  // namespace http
