// A log whose lines a test reads.
#pragma once
#include <string>
#include <vector>

#include "actors/log.hpp"

namespace test {

struct RecordingLog : actors::Log {
  void write(actors::LogLevel level, const actors::LogLine& line) override {
    constexpr const char* kLevels[] = {"info ", "warning ", "error "};
    lines.push_back(kLevels[static_cast<std::size_t>(level)] + line.text());
  }
  std::vector<std::string> lines;  ///< "error msg=..."
};

}  // namespace test
