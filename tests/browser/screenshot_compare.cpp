#include "tests/browser/screenshot_compare.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "geo/drawing/image_codec.hpp"

namespace test {
namespace {

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void hide(Browser& browser, const std::vector<std::string>& all, bool hidden, const TestLine& at) {
  const char* const kHide =
      "for (const css of arguments[0]) for (const e of document.querySelectorAll(css)) "
      "e.style.visibility = arguments[1] ? 'hidden' : ''";
  if (!all.empty()) browser.script(kHide, {all, hidden}, at);
}

/// Without focus, whose cursor blinks.
std::string picture_of(Browser& browser, const PictureRules& rules, const TestLine& at) {
  browser.script("document.activeElement?.blur(); scrollTo(0, 0);", nlohmann::json::array(), at);
  hide(browser, rules.hidden, true, at);
  std::string png = !rules.of.empty()   ? browser.screenshot_of(rules.of, at)
                    : rules.window_only ? browser.screenshot(at)
                                        : browser.screenshot_of_page(at);
  hide(browser, rules.hidden, false, at);
  return png;
}

}  // namespace

double differing_share(const std::string& png, const std::string& other, int tolerance) {
  const auto one = geo::decode_image(png), two = geo::decode_image(other);
  if (!one || !two || one->width != two->width || one->height != two->height || one->rgb.empty()) return 1;
  std::size_t differing = 0;
  for (std::size_t i = 0; i + 2 < one->rgb.size(); i += 3) {
    bool differs = false;
    for (std::size_t c = i; c < i + 3; ++c)
      differs = differs || std::abs(one->rgb[c] - two->rgb[c]) > tolerance;
    differing += differs;
  }
  return 3 * static_cast<double>(differing) / static_cast<double>(one->rgb.size());
}

void expect_looks_like(Browser& browser, const std::string& name, const PictureRules& rules,
                       const TestLine& at) {
  const std::string kept = std::string(ROOF_SOURCE_DIR "/") + rules.folder + "/" + name + ".png";
  const std::string png = picture_of(browser, rules, at);
  if (std::getenv("ROOF_RENEW_PICTURES")) {
    std::filesystem::create_directories(std::filesystem::path(kept).parent_path());
    std::ofstream(kept, std::ios::binary) << png;
  }
  const double share = differing_share(png, bytes_of(kept), rules.tolerance);
  if (share <= rules.differing_share_max) return;
  const std::string seen = picture_path("." + name + ".png");
  std::ofstream(seen, std::ios::binary) << png;
  ADD_FAILURE_AT(at.file, at.line) << 100 * share << " % of the pixels differ between " << kept << " and "
                                   << seen << "; ROOF_RENEW_PICTURES=1 makes the first anew";
}

}  // namespace test
