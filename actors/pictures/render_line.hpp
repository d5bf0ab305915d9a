// The renderers' line and cache, as plain state. Every order is in the line once; equal orders that come
// meanwhile wait for it. Recent results are cached. The number of orders in line is bounded. The number of
// waiters for one order is bounded by the open connections.
//
// Accounts take turns. One may have the whole line while nobody else wants a place. When another one does,
// the account with the most orders loses its newest one, so that nobody is kept out by one who asks for much.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "actors/fair_line.hpp"
#include "actors/recent_cache.hpp"
#include "actors/values.hpp"

namespace actors {

class RenderLine {
 public:
  using Waiter = std::function<void(const Rendered&)>;
  /// `renderers` draw at once, `waiting_max` more orders wait; the cache holds `cached_bytes` of results.
  RenderLine(std::uint32_t renderers, std::uint32_t waiting_max, std::size_t cached_bytes)
      : renderers_(renderers), waiting_max_(waiting_max), brought_(cached_bytes) {}

  /// Answers at once from the cache, or lets the waiter wait. False: the line is full, nobody will answer.
  /// Who loses the place is answered dienst_ueberlastet.
  bool ask(const RenderOrder& order, Waiter waiter);
  /// The next order for an idle renderer; it counts as being drawn from now on.
  std::optional<RenderOrder> next();
  /// Answers all who waited for the order.
  void over(const RenderOrder& order, const Rendered& rendered);

  std::size_t waiting() const { return line_.size(); }
  std::size_t drawing() const { return drawing_; }

 private:
  static std::string key_of(const RenderOrder& order);
  bool make_room(std::uint64_t account);
  void answer(const std::string& key, const Rendered& rendered);

  std::uint32_t renderers_;
  std::uint32_t waiting_max_;
  std::size_t drawing_ = 0;
  FairLine<RenderOrder> line_;
  std::map<std::string, std::vector<Waiter>> waiters_;  // of orders in line or being drawn
  RecentCache<std::string, SharedText> brought_;
};

}  // namespace actors
