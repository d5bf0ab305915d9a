#include "geo/layout/module_choice.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <tuple>

namespace geo {
namespace {

using Block = std::vector<std::size_t>;

bool touch(const ModuleRect& a, const ModuleRect& b) {
  return std::abs(a.row - b.row) + std::abs(a.col - b.col) == 1;
}

/// Moves what is connected to `start` out of `rest`.
Block taken_from(Block& rest, const std::vector<ModuleRect>& modules) {
  Block block{rest.front()};
  rest.erase(rest.begin());
  for (std::size_t next = 0; next < block.size(); ++next)
    for (std::size_t i = 0; i < rest.size();) {
      if (!touch(modules[block[next]], modules[rest[i]])) {
        ++i;
        continue;
      }
      block.push_back(rest[i]);
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    }
  return block;
}

/// The connected parts of a layout, the largest first.
std::vector<Block> connected_parts(const std::vector<ModuleRect>& modules) {
  Block rest(modules.size());
  std::iota(rest.begin(), rest.end(), std::size_t{0});
  std::vector<Block> parts;
  while (!rest.empty()) parts.push_back(taken_from(rest, modules));
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Block& a, const Block& b) { return a.size() > b.size(); });
  return parts;
}

/// Twice the middle column of the uppermost row: the block grows around it.
int doubled_middle(const Block& block, const std::vector<ModuleRect>& modules) {
  int top = modules[block.front()].row;
  for (std::size_t i : block) top = std::max(top, modules[i].row);
  std::vector<int> columns;
  for (std::size_t i : block)
    if (modules[i].row == top) columns.push_back(modules[i].col);
  const auto [left, right] = std::minmax_element(columns.begin(), columns.end());
  return *left + *right;
}

/// Takes modules of a connected part one by one, each next to one taken before: the highest row first, in it
/// the one nearest to the middle.
void grow(const Block& part, const std::vector<ModuleRect>& modules, std::size_t count, Block& chosen) {
  const int middle = doubled_middle(part, modules);
  auto rank = [&](std::size_t i) {
    return std::tuple(-modules[i].row, std::abs(2 * modules[i].col - middle), modules[i].col);
  };
  Block left = part, border;
  auto move_to = [&](Block& to, Block& from, std::size_t i) {
    from.erase(std::find(from.begin(), from.end(), i));
    to.push_back(i);
  };
  auto best_of = [&](const Block& block) {
    return *std::min_element(block.begin(), block.end(),
                             [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  };
  move_to(border, left, best_of(left));
  while (chosen.size() < count && !border.empty()) {
    const std::size_t next = best_of(border);
    move_to(chosen, border, next);
    const Block before = left;
    for (std::size_t i : before)
      if (touch(modules[next], modules[i])) move_to(border, left, i);
  }
}

}  // namespace

std::vector<std::size_t> choose_modules(const std::vector<ModuleRect>& modules, int count) {
  const auto wanted = static_cast<std::size_t>(std::clamp(count, 0, static_cast<int>(modules.size())));
  Block chosen;
  for (const Block& part : connected_parts(modules)) {
    if (chosen.size() >= wanted) break;
    grow(part, modules, wanted, chosen);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace geo
