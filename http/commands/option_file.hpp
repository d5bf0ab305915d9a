// roofd.conf: every line says the same as a flag, so it is turned into one and checked against the option in
// the same way. An unknown option or an invalid value is refused with file and line.
#pragma once
#include <caf/config_option_set.hpp>
#include <caf/config_value.hpp>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace http {

struct FileOption {
  std::string name;   ///< "http.port"; in the group "global" without the group: "data-dir"
  std::string flag;   ///< "--http.port=8080"
  std::string place;  ///< "roofd.conf:17"
};

/// The file's options in CAF's syntax. The error is one sentence.
tl::expected<std::vector<FileOption>, std::string> read_option_file(const std::string& path,
                                                                    const caf::config_option_set& options);

/// The value as it would be written after a flag's "=".
std::string text_of(const caf::config_value& value);

}  // namespace http
