// A store in a folder of its own that can be closed, reopened and looked at as a kill would have left it.
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "persistence/store.hpp"
#include "tests/temporary_folder.hpp"

namespace test {

/// Changes bits of one byte, as a disk may.
inline void flip(const std::filesystem::path& path, std::uintmax_t at, int bits) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(static_cast<std::streamoff>(at));
  const char flipped = static_cast<char>(file.get() ^ bits);
  file.seekp(static_cast<std::streamoff>(at));
  file.put(flipped);
}

using Rows = std::vector<std::pair<std::string, std::string>>;

struct StoreTest : ::testing::Test {
  TemporaryFolder folder;
  std::string directory = folder.file("data");
  std::unique_ptr<persistence::Store> store;

  void SetUp() override { open(); }
  void open() {
    auto opened = persistence::Store::open(directory);
    ASSERT_TRUE(opened) << opened.error();
    store = std::move(*opened);
  }
  void reopen() {
    store.reset();
    open();
  }
  /// Goes on with what the disk held at this moment, without the store having been closed.
  void crash() {
    const std::string copy = folder.file("copy" + std::to_string(++copies_));
    std::filesystem::copy(directory, copy, std::filesystem::copy_options::recursive);
    store.reset();
    directory = copy;
    open();
  }

  void put(persistence::Table table, const std::string& key, const std::string& value) {
    ASSERT_TRUE(store->commit({{table, key, value}}));
  }
  std::string get(persistence::Table table, const std::string& key) const {
    const auto value = store->get(table, key);
    return !value ? "(unreadable)" : !*value ? "(none)" : **value;
  }
  /// The keys that a scan visits.
  std::vector<std::string> keys(persistence::Table table, const std::string& prefix,
                                persistence::Store::Order order, const std::string& from = {}) const {
    std::vector<std::string> visited;
    EXPECT_TRUE(store->scan(table, prefix, order, from, [&](std::string_view key, std::string_view) {
      visited.emplace_back(key);
      return true;
    }));
    return visited;
  }

 private:
  int copies_ = 0;
};

}  // namespace test
