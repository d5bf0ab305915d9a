#include "tests/browser/axe.hpp"

#include <fstream>
#include <iterator>

namespace test {
namespace {

constexpr const char* kAxe = ROOF_SOURCE_DIR "/build/npm/axe-core/axe.min.js";

/// Without preload axe asks for no file again; no rule of the ones here needs that.
constexpr const char* kRunAxe = R"js(
  const done = arguments[arguments.length - 1];
  axe.run(document, {preload: false, resultTypes: ['violations']}).then(
      found => done(found.violations.flatMap(rule => rule.nodes.map(
          node => `${rule.id} (${rule.impact}): ${node.target.join(' ')}: ` +
              node.failureSummary.replace(/\s*\n\s*/g, ' ') + ` | ${node.html.slice(0, 160)}`))),
      error => done([`axe-core: ${error}`]));
)js";

std::string axe_source(Browser& browser, const TestLine& at) {
  std::ifstream file(kAxe);
  if (!file) browser.fail(std::string(kAxe) + " is missing: ./roof test gets it from npm's registry", at);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

std::vector<std::string> axe_violations(Browser& browser, const TestLine& at) {
  if (!browser.script("return typeof axe === 'object'", nlohmann::json::array(), at).get<bool>())
    browser.script(axe_source(browser, at) + "\nwindow.axe = axe;", nlohmann::json::array(), at);
  return browser.script_async(kRunAxe, nlohmann::json::array(), at).get<std::vector<std::string>>();
}

}  // namespace test
