#include "http/commands/option_file.hpp"

#include <algorithm>
#include <array>
#include <caf/actor_system_config.hpp>
#include <caf/deep_to_string.hpp>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "http/commands/option_text.hpp"

namespace http {
namespace {

constexpr auto kGlobal = "global";

/// The line that sets an option, or that opens a group when `name` is empty; 0 when there is none. Of several
/// lines the last one counts, as in CAF.
std::size_t line_of(const std::string& text, const std::string& group, const std::string& name) {
  static const std::regex kOpens(R"(^\s*\[\s*([^\]\s]+)\s*\].*)");
  static const std::regex kSets(R"(^\s*([^=;\s]+)\s*=.*)");
  std::istringstream lines(text);
  std::string line, within = kGlobal;
  std::smatch found;
  std::size_t at = 0, number = 0;
  while (std::getline(lines, line)) {
    ++number;
    if (std::regex_match(line, found, kOpens)) {
      within = found[1];
      if (name.empty() && within == group) at = number;
    } else if (within == group && std::regex_match(line, found, kSets) && found[1] == name) {
      at = number;
    }
  }
  return at;
}

/// The file and line of a syntax error, read from CAF's message. For a line that ends too early CAF reports
/// the first column of the next line.
std::string place_of_fault(const std::string& path, const std::string& told) {
  static const std::regex kPlace(R"re("column" = (\d+), "line" = (\d+))re");
  std::smatch found;
  if (!std::regex_search(told, found, kPlace)) return path;
  const int line = std::stoi(found[2]);
  return path + ":" + std::to_string(found[1] == "1" && line > 1 ? line - 1 : line);
}

class OptionFile {
 public:
  OptionFile(std::string path, std::string text, const caf::config_option_set& options)
      : path_(std::move(path)), text_(std::move(text)), options_(options) {}

  tl::expected<std::vector<FileOption>, std::string> read() {
    std::istringstream in(text_);
    const auto groups = caf::actor_system_config::parse_config(in);
    if (!groups)
      return tl::make_unexpected(place_of_fault(path_, to_string(groups.error())) + ": is not understood");
    for (const auto& [group, value] : *groups) {
      const auto* entries = caf::get_if<caf::config_value::dictionary>(&value);
      if (!entries) {
        take(kGlobal, group, value);
      } else if (!is_group(group)) {
        refuse(group, "", "[" + group + "] is not a group of options");
      } else {
        for (const auto& [name, entry] : *entries) take(group, name, entry);
      }
    }
    if (!fault_.empty()) return tl::make_unexpected(fault_);
    return std::move(taken_);
  }

 private:
  std::string place(const std::string& group, const std::string& name) const {
    const std::size_t line = line_of(text_, group, name);
    return line == 0 ? path_ : path_ + ":" + std::to_string(line);
  }
  void refuse(const std::string& group, const std::string& name, const std::string& sentence) {
    if (fault_.empty()) fault_ = place(group, name) + ": " + sentence;
  }
  bool is_group(const std::string& group) const {
    return std::any_of(options_.begin(), options_.end(), [&](const auto& option) {
      return std::string_view(option.category().data(), option.category().size()) == group;
    });
  }
  void take(const std::string& group, const std::string& name, const caf::config_value& value) {
    const std::string full = group == kGlobal ? name : group + "." + name;
    const auto* option = options_.qualified_name_lookup(group, name);
    if (!option || full == "config-file") return refuse(group, name, full + " is not an option");
    const std::string text = text_of(value);
    if (!option->parse(text)) {
      return refuse(group, name, full + "=" + text + " is not valid: it is " + values_of(*option));
    }
    // CAF has no notation for a switch that is off, nor for a flag with an empty value: both are left out.
    // parse() has already stored an empty text.
    std::string flag = text.empty() ? "" : "--" + full + "=" + text;
    if (option->is_flag()) flag = text == "true" ? "--" + full : "";
    if (!flag.empty()) taken_.push_back({full, flag, place(group, name)});
  }

  std::string path_, text_;
  const caf::config_option_set& options_;
  std::vector<FileOption> taken_;
  std::string fault_;
};

}  // namespace

std::string text_of(const caf::config_value& value) {
  if (const auto* text = caf::get_if<std::string>(&value)) return *text;
  if (const auto* atom = caf::get_if<caf::atom_value>(&value)) return caf::to_string(*atom);
  if (const auto* number = caf::get_if<double>(&value)) {
    std::array<char, 32> digits{};  // as many as identify the number
    return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), *number).ptr};
  }
  return caf::deep_to_string(value);
}

tl::expected<std::vector<FileOption>, std::string> read_option_file(const std::string& path,
                                                                    const caf::config_option_set& options) {
  std::ifstream in(path);
  std::ostringstream text;
  if (!in || std::filesystem::is_directory(path) || (in.peek() != std::ifstream::traits_type::eof() && !(text << in.rdbuf())))
    return tl::make_unexpected(path + ": the configuration file cannot be read");
  return OptionFile(path, text.str(), options).read();
}

}  // namespace http
