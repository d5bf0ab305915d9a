// The bounded memory: what stays, what goes, and that weights add up.
#include "actors/recent_cache.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <random>
#include <string>

namespace {

using namespace actors;

TEST(RecentCache, ForgetsTheLeastRecentlyUsedFirst) {
  RecentCache<int, std::string> cache(2);
  cache.put(1, "one");
  cache.put(2, "two");
  ASSERT_NE(cache.find(1), nullptr);  // used: now 2 is the older
  cache.put(3, "three");
  EXPECT_EQ(cache.find(2), nullptr);
  ASSERT_NE(cache.find(1), nullptr);
  EXPECT_EQ(*cache.find(1), "one");
  EXPECT_EQ(*cache.find(3), "three");
}

TEST(RecentCache, ReplacesAValueWithoutGrowing) {
  RecentCache<int, std::string> cache(10);
  cache.put(1, "old", 6);
  cache.put(2, "other", 4);
  cache.put(1, "new", 6);
  EXPECT_EQ(cache.size(), 2U);
  EXPECT_EQ(*cache.find(1), "new");
  EXPECT_NE(cache.find(2), nullptr);
}

TEST(RecentCache, HoldsByWeightAndNotByNumber) {
  RecentCache<int, int> cache(10);
  for (int i = 0; i < 10; ++i) cache.put(i, i, 1);
  EXPECT_EQ(cache.size(), 10U);
  cache.put(99, 99, 7);
  EXPECT_EQ(cache.size(), 4U);
  for (const int kept : {7, 8, 9, 99}) EXPECT_NE(cache.find(kept), nullptr) << kept;
}

TEST(RecentCache, KeepsAnEntryHeavierThanItsCapacityUntilTheNext) {
  RecentCache<int, std::string> cache(3);
  EXPECT_EQ(cache.put(1, "heavy", 100), "heavy");
  EXPECT_EQ(cache.size(), 1U);
  cache.put(2, "light", 1);
  EXPECT_EQ(cache.find(1), nullptr);
  EXPECT_NE(cache.find(2), nullptr);
}

TEST(RecentCache, OfNoCapacityHoldsTheLatestEntryOnly) {
  RecentCache<int, int> cache(0);
  cache.put(1, 1);
  cache.put(2, 2);
  EXPECT_EQ(cache.size(), 1U);
  EXPECT_NE(cache.find(2), nullptr);
}

TEST(RecentCache, ErasesWhatIsNotThereWithoutHarm) {
  RecentCache<int, int> cache(2);
  cache.erase(1);
  cache.put(1, 1);
  cache.erase(1);
  cache.erase(1);
  EXPECT_EQ(cache.size(), 0U);
  cache.put(2, 2);
  cache.put(3, 3);
  EXPECT_EQ(cache.size(), 2U);  // the erased entry's weight is given back
}

TEST(RecentCache, DoesWhatAPlainListDoesInAnyOrderOfCalls) {
  struct Plain {
    int key, value;
    std::size_t weight;
  };
  std::mt19937 random(11);
  RecentCache<int, int> cache(20);
  std::list<Plain> model;  // most recent first
  for (int call = 0; call < 20'000; ++call) {
    const int key = static_cast<int>(random() % 12);
    const auto it = std::find_if(model.begin(), model.end(), [&](const Plain& p) { return p.key == key; });
    switch (random() % 4) {
      case 0:
      case 1: {
        const int* found = cache.find(key);
        ASSERT_EQ(found != nullptr, it != model.end());
        if (found) {
          ASSERT_EQ(*found, it->value);
          model.splice(model.begin(), model, it);
        }
        break;
      }
      case 2: {
        const std::size_t weight = 1 + random() % 8;
        if (it != model.end()) model.erase(it);
        model.push_front({key, call, weight});
        cache.put(key, call, weight);
        std::size_t sum = 0;
        for (const Plain& p : model) sum += p.weight;
        for (; sum > 20; model.pop_back()) sum -= model.back().weight;
        break;
      }
      default:
        if (it != model.end()) model.erase(it);
        cache.erase(key);
    }
    ASSERT_EQ(cache.size(), model.size());
  }
}

}  // namespace
