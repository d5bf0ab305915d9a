// Accessibility of the open page by axe-core, all its rules. ./roof test gets the one file that
// http/packaging/npm.txt names; it is used in tests alone.
#pragma once
#include <string>
#include <vector>

#include "tests/browser/browser.hpp"

namespace test {

/// A line for each violated rule and element; none is a page without fault.
std::vector<std::string> axe_violations(Browser& browser, const TestLine& at = {});

}  // namespace test
