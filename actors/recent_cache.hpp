// A bounded cache that counts what it found.
#pragma once
#include "actors/meters.hpp"
#include "geo/recent_cache.hpp"

namespace actors {

template <class Key, class Value>
class RecentCache : private geo::RecentCache<Key, Value> {
  using Base = geo::RecentCache<Key, Value>;

 public:
  /// `capacity` in the unit of the weights given to put().
  explicit RecentCache(std::size_t capacity, CacheMeter meter = {}) : Base(capacity), meter_(meter) {}

  /// Null when the key is not cached; the pointer is valid until the next put() or erase().
  Value* find(const Key& key) {
    Value* value = Base::find(key);
    if (meter_.hit) (value ? meter_.hit : meter_.miss)->Increment();
    return value;
  }
  using Base::erase;
  using Base::put;
  using Base::size;

 private:
  CacheMeter meter_;
};

}  // namespace actors
