#include "http/commands/option_text.hpp"

#include <algorithm>
#include <array>
#include <caf/config_value.hpp>
#include <vector>

#include "http/commands/option_file.hpp"

namespace http {
namespace {

struct ValueKind {
  std::string_view type;  ///< CAF's name of it
  const char* stands_for;
  const char* values;
};

constexpr std::array kValueKinds{ValueKind{"uint16", "NUMBER", "a whole number from 0 to 65535"},
                                 ValueKind{"uint32", "NUMBER", "a whole number from 0 to 4294967295"},
                                 ValueKind{"uint64", "NUMBER", "a whole number from 0"},
                                 ValueKind{"int32", "NUMBER", "a whole number"},
                                 ValueKind{"real64", "NUMBER", "a number"},
                                 ValueKind{"boolean", "YES", "true or false"},
                                 ValueKind{"string", "TEXT", "a text"}};

const ValueKind& value_kind_of(const caf::config_option& option) {
  const std::string_view type(option.type_name().data(), option.type_name().size());
  const auto* known = std::find_if(kValueKinds.begin(), kValueKinds.end(),
                                   [&](const ValueKind& k) { return k.type == type; });
  return known == kValueKinds.end() ? kValueKinds.back() : *known;
}

}  // namespace

std::string flag_of(const caf::config_option& option) {
  const auto name = option.has_flat_cli_name() ? option.long_name() : option.full_name();
  const std::string flag = "--" + std::string(name.data(), name.size());
  return option.is_flag() ? flag : flag + "=" + value_kind_of(option).stands_for;
}

std::string values_of(const caf::config_option& option) { return value_kind_of(option).values; }

std::string help_of(const caf::config_option_set& all, const caf::config_option_set& hidden) {
  struct Line {
    std::string flag, meaning;
  };
  std::vector<Line> lines;
  std::size_t width = 0;
  for (const caf::config_option& option : all) {
    if (hidden.qualified_name_lookup(option.category(), option.long_name())) continue;
    Line line{flag_of(option), std::string(option.description().data(), option.description().size())};
    const auto value = option.get();
    const std::string now = value && !option.is_flag() ? text_of(*value) : "";
    if (!now.empty()) line.meaning += " [" + now + "]";
    width = std::max(width, line.flag.size());
    lines.push_back(std::move(line));
  }
  std::string text;
  for (const Line& line : lines)
    text += "  " + line.flag + std::string(width - line.flag.size() + 2, ' ') + line.meaning + "\n";
  return text;
}

}  // namespace http
