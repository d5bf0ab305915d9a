#include "geo/offices/denials.hpp"

#include <iterator>
#include <utility>

namespace geo::offices {
namespace {

constexpr std::size_t kManyDenials = 20;

}  // namespace

void Denials::add(Denial denial) {
  all_.push_back(std::move(denial));
  ++in_a_row_;
}

bool Denials::are_suspicious() const { return !witness_.empty() && in_a_row_ >= kManyDenials; }

bool Denials::are_true(const std::string& url) const {
  if (url.empty()) return false;
  const auto there = fetcher_.probe(url, control_, {}, kContentBytes);
  return there && looks_like(content_, there->beginning);
}

std::vector<Denial> Denials::take() {
  in_a_row_ = 0;
  return std::exchange(all_, {});
}

void Denials::put_back(std::vector<Denial> denials) {
  all_.insert(all_.end(), std::make_move_iterator(denials.begin()), std::make_move_iterator(denials.end()));
}

}  // namespace geo::offices
