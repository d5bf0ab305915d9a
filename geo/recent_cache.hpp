// A bounded cache: the least recently used entry is dropped first.
#pragma once
#include <cstddef>
#include <list>
#include <unordered_map>
#include <utility>
#include <vector>

namespace geo {

template <class Key, class Value>
class RecentCache {
 public:
  /// `capacity` in the unit of the weights given to put().
  explicit RecentCache(std::size_t capacity) : capacity_(capacity) {}

  /// Null when the key is not cached; the pointer is valid until the next put() or erase().
  Value* find(const Key& key) {
    const auto it = index_.find(key);
    if (it == index_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, it->second);
    return &it->second->value;
  }

  Value& put(const Key& key, Value value, std::size_t weight = 1) {
    erase(key);
    entries_.push_front({key, std::move(value), weight});
    index_[key] = entries_.begin();
    weight_ += weight;
    while (weight_ > capacity_ && entries_.size() > 1) erase(Key(entries_.back().key));
    return entries_.front().value;
  }

  void erase(const Key& key) {
    const auto it = index_.find(key);
    if (it == index_.end()) return;
    weight_ -= it->second->weight;
    entries_.erase(it->second);
    index_.erase(it);
  }

  template <class Condition>
  void erase_if(const Condition& condition) {
    std::vector<Key> keys;
    for (const Entry& entry : entries_)
      if (condition(entry.key, entry.value)) keys.push_back(entry.key);
    for (const Key& key : keys) erase(key);
  }

  std::size_t size() const { return entries_.size(); }
  std::size_t capacity() const { return capacity_; }

 private:
  struct Entry {
    Key key;
    Value value;
    std::size_t weight;
  };
  std::size_t capacity_;
  std::size_t weight_ = 0;
  std::list<Entry> entries_;
  std::unordered_map<Key, typename std::list<Entry>::iterator> index_;
};

}  // namespace geo
