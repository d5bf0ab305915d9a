// A service with its web application, and somebody at a browser.
#pragma once
#include <gtest/gtest.h>

#include <string>

#include "tests/http/service/web_visitor.hpp"

namespace test {

inline constexpr auto kPassword = "grünes Haus am Hang";
inline constexpr auto kAnna = "anna@example.org";
inline constexpr auto kBert = "bert@example.org";

/// Where an answer leads; empty: nowhere.
inline std::string location(const Reply& reply) {
  const auto found = reply.headers.find("location");
  return found == reply.headers.end() ? std::string() : found->second;
}

inline bool says(const Reply& reply, const std::string& text) {
  return reply.body.find(text) != std::string::npos;
}

struct WebTest : ::testing::Test {
  RunningService service{kNoLimits};
  WebVisitor anna{service};
};

}  // namespace test
