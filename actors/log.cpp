#include "actors/log.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace actors {
namespace {

constexpr std::size_t kUsualLength = 192;

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

/// True for the characters that make quotes necessary.
constexpr std::array<bool, 256> quoted_characters() {
  std::array<bool, 256> quoted{};
  for (std::size_t c = 0; c < quoted.size(); ++c)
    quoted[c] = c <= 0x20 || c == 0x7f || c == '"' || c == '=' || c == '\\';
  return quoted;
}

bool is_plain(std::string_view text) {
  static constexpr auto kQuoted = quoted_characters();
  return std::none_of(text.begin(), text.end(),
                      [](char c) { return kQuoted[static_cast<unsigned char>(c)]; });
}

void append_quoted(std::string& line, std::string_view text) {
  line += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') line += '\\';
    line += is_control(c) ? ' ' : c;
  }
  line += '"';
}

template <class Number>
void append_number(std::string& line, Number number) {
  std::array<char, 24> digits{};
  line.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
}

class SilentLog : public Log {
  void write(LogLevel, const LogLine&) override {}
};

}  // namespace

void LogLine::begin(std::string_view name) {
  if (text_.empty())
    text_.reserve(kUsualLength);
  else
    text_ += ' ';
  text_.append(name) += '=';
}

LogLine& LogLine::field(std::string_view name, std::string_view text) {
  if (text.empty()) return *this;
  begin(name);
  if (is_plain(text))
    text_ += text;
  else
    append_quoted(text_, text);
  return *this;
}

LogLine& LogLine::field(std::string_view name, std::uint64_t number) {
  begin(name);
  append_number(text_, number);
  return *this;
}

LogLine& LogLine::milliseconds(std::string_view name, std::chrono::microseconds time) {
  begin(name);
  const auto us = time.count();
  append_number(text_, us / 1000);
  text_ += {'.', static_cast<char>('0' + us / 100 % 10), static_cast<char>('0' + us / 10 % 10),
            static_cast<char>('0' + us % 10)};
  return *this;
}

LogPtr silent_log() { return std::make_shared<SilentLog>(); }

}  // namespace actors
