// Opening a data directory: what an operator reads when it cannot be done.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <rocksdb/db.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <functional>

#include "persistence/keys.hpp"
#include "tests/full_disk.hpp"
#include "tests/persistence/store_fixture.hpp"

namespace {

using namespace persistence;
struct StoreOpening : test::StoreTest {
  void SetUp() override {}
  /// The sentence of a refused opening; "" when it was opened.
  static std::string refusal(const std::string& where) {
    const auto opened = Store::open(where);
    return opened ? "" : opened.error();
  }
};

/// Root may write everywhere: while this object exists, the process runs as the user nobody.
class Nobody {
 public:
  Nobody() { is_root_&& ::seteuid(65534) == 0; }
  ~Nobody() { is_root_&& ::seteuid(0) == 0; }

 private:
  bool is_root_ = ::geteuid() == 0;
};

/// Another process that holds the data directory's lock.
class OtherProcess {
 public:
  explicit OtherProcess(const std::string& lock_file) {
    int ready[2];
    if (::pipe(ready) != 0) return;
    child_ = ::fork();
    if (child_ == 0) {
      const int file = ::open(lock_file.c_str(), O_RDWR | O_CREAT, 0600);
      struct flock lock {};
      lock.l_type = F_WRLCK;
      lock.l_whence = SEEK_SET;
      const char held = ::fcntl(file, F_SETLK, &lock) == 0 ? 'y' : 'n';
      if (::write(ready[1], &held, 1) != 1) ::_exit(1);
      for (;;) ::pause();
    }
    char held = 'n';
    holds_ = ::read(ready[0], &held, 1) == 1 && held == 'y';
    ::close(ready[0]);
    ::close(ready[1]);
  }
  ~OtherProcess() {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }
  bool holds() const { return holds_; }

 private:
  pid_t child_ = -1;
  bool holds_ = false;
};

TEST_F(StoreOpening, MakesTheDirectoryForItsOwnerAlone) {
  for (const char* name : {"new", "deeper/new", "trailing/"}) {
    const std::string where = folder.file(name);
    ASSERT_EQ(refusal(where), "");
    struct stat info {};
    ASSERT_EQ(::stat(where.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777U, 0700U) << where;
  }
}

TEST_F(StoreOpening, LeavesTheModeOfADirectoryThatWasThereAsItIs) {
  ASSERT_EQ(::mkdir(directory.c_str(), 0750), 0);
  ASSERT_EQ(::chmod(directory.c_str(), 0750), 0);
  ASSERT_EQ(refusal(directory), "");
  struct stat info {};
  ASSERT_EQ(::stat(directory.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0750U);
}

TEST_F(StoreOpening, IsRefusedToASecondOpenerOfThisProcess) {
  open();
  EXPECT_EQ(refusal(directory), directory + ": another process holds the data directory");
  store.reset();
  EXPECT_EQ(refusal(directory), "");
}

TEST_F(StoreOpening, IsRefusedWhileAnotherProcessHoldsTheDirectory) {
  open();
  store.reset();
  {
    const OtherProcess other(directory + "/store/LOCK");
    ASSERT_TRUE(other.holds());
    EXPECT_EQ(refusal(directory), directory + ": another process holds the data directory");
  }
  EXPECT_EQ(refusal(directory), "");  // killed processes hold nothing
}

TEST_F(StoreOpening, DoesNotBlameAnotherProcessForALockFileThatCannotBeOpened) {
  std::filesystem::create_directories(directory + "/store/LOCK");
  const std::string told = refusal(directory);
  EXPECT_EQ(told.find("another process"), std::string::npos) << told;
  EXPECT_TRUE(told.starts_with(directory + ": ")) << told;
}

TEST_F(StoreOpening, OfAPathThatIsAFileIsRefusedWithASentence) {
  std::ofstream(folder.file("file")) << "x";
  EXPECT_TRUE(refusal(folder.file("file")).starts_with(folder.file("file") + ": "))
      << refusal(folder.file("file"));
  EXPECT_TRUE(refusal(folder.file("file/below"))
                  .starts_with(folder.file("file/below") + ": the data directory cannot be made"));
  std::filesystem::create_directories(directory);
  std::ofstream(directory + "/store") << "x";
  EXPECT_TRUE(refusal(directory).starts_with(directory + ": ")) << refusal(directory);
}

TEST_F(StoreOpening, OfADirectoryThatMayNotBeWrittenIsRefusedWithASentence) {
  std::filesystem::create_directories(directory);
  ASSERT_EQ(::chmod(folder.path().c_str(), 0755), 0);
  ASSERT_EQ(::chmod(directory.c_str(), 0555), 0);
  std::string told, told_below;
  {
    const Nobody nobody;
    told = refusal(directory);
    told_below = refusal(directory + "/below");
  }
  EXPECT_TRUE(told.starts_with(directory + ": the data directory cannot be ")) << told;
  EXPECT_TRUE(told_below.starts_with(directory + "/below: the data directory cannot be made")) << told_below;
}

TEST_F(StoreOpening, OfAStoreThatMayNotBeReadIsRefusedWithASentence) {
  open();
  store.reset();
  ASSERT_EQ(::chmod(folder.path().c_str(), 0755), 0);
  ASSERT_EQ(::chmod((directory + "/store").c_str(), 0000), 0);
  std::string told;
  {
    const Nobody nobody;
    told = refusal(directory);
  }
  ASSERT_EQ(::chmod((directory + "/store").c_str(), 0700), 0);
  EXPECT_TRUE(told.starts_with(directory + ": the data directory cannot be ")) << told;
  EXPECT_EQ(refusal(directory), "");
}

TEST_F(StoreOpening, OnAFullDiskIsRefusedWithASentence) {
  std::string told;
  {
    const test::FullDisk full;
    told = refusal(directory);
  }
  EXPECT_TRUE(told.starts_with(directory + ": the data directory cannot be ")) << told;
}

TEST_F(StoreOpening, OfANewerSchemaIsRefused) {
  open();
  put(Table::meta, "schema", number_key(number_at(get(Table::meta, "schema"), 0) + 1));
  store.reset();
  EXPECT_EQ(refusal(directory), directory + ": the data were written by a newer version of roofd");
}

TEST_F(StoreOpening, OfAStoreWithATableOfTheFutureIsRefusedAsNewer) {
  open();
  store.reset();
  std::vector<std::string> names;
  ASSERT_TRUE(rocksdb::DB::ListColumnFamilies({}, directory + "/store", &names).ok());
  std::vector<rocksdb::ColumnFamilyDescriptor> tables;
  for (const auto& name : names) tables.emplace_back(name, rocksdb::ColumnFamilyOptions());
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* db = nullptr;
  ASSERT_TRUE(rocksdb::DB::Open({}, directory + "/store", tables, &handles, &db).ok());
  rocksdb::ColumnFamilyHandle* future = nullptr;
  ASSERT_TRUE(db->CreateColumnFamily({}, "of_a_later_version", &future).ok());
  handles.push_back(future);
  for (auto* handle : handles) db->DestroyColumnFamilyHandle(handle);
  delete db;
  EXPECT_EQ(refusal(directory), directory + ": the data were written by a newer version of roofd");
}

TEST_F(StoreOpening, OfADamagedSchemaIsRefused) {
  open();
  put(Table::meta, "schema", "abc");
  store.reset();
  EXPECT_TRUE(refusal(directory).starts_with(directory + ": ")) << refusal(directory);
}

TEST_F(StoreOpening, OfAStoreWhoseFirstFileIsGoneIsRefusedAndNotBegunAnew) {
  open();
  put(Table::accounts, "key", "value");
  store.reset();
  const std::string current = directory + "/store/CURRENT", aside = folder.file("CURRENT");
  std::filesystem::rename(current, aside);
  EXPECT_THAT(refusal(directory), testing::HasSubstr("CURRENT is missing"));
  EXPECT_THAT(Store::try_reading(directory).fault.value_or(""), testing::HasSubstr("CURRENT is missing"));
  EXPECT_FALSE(std::filesystem::exists(current));
  std::filesystem::rename(aside, current);
  open();
  EXPECT_EQ(get(Table::accounts, "key"), "value");
}

/// A store whose MANIFEST has several entries, closed.
std::filesystem::path manifest_of_several_files(const std::string& directory,
                                                const std::function<void(int)>& write_and_reopen) {
  for (int i = 0; i < 4; ++i) write_and_reopen(i);
  std::string name;
  std::getline(std::ifstream(directory + "/store/CURRENT"), name);
  return directory + "/store/" + name;
}

std::ptrdiff_t files_with_data(const std::string& directory) {
  return std::ranges::count_if(
      std::filesystem::directory_iterator(directory + "/store"), [](const auto& entry) {
        return entry.path().extension() == ".sst" || entry.path().extension() == ".blob";
      });
}

TEST_F(StoreOpening, OfAStoreWhoseManifestLostSomethingIsRefusedAndRemovesNothing) {
  open();
  const std::filesystem::path manifest = manifest_of_several_files(directory, [&](int i) {
    put(Table::accounts, number_key(static_cast<std::uint64_t>(i)), "value");
    put(Table::results, number_key(static_cast<std::uint64_t>(i)), std::string(5000, 'r'));
    reopen();
  });
  store.reset();
  ASSERT_FALSE(manifest.empty());
  const auto size = std::filesystem::file_size(manifest);
  const auto files = files_with_data(directory);
  const std::string aside = folder.file("MANIFEST");
  std::filesystem::copy(manifest, aside);
  const auto expect_refused = [&](const std::string& how) {
    EXPECT_THAT(refusal(directory), testing::HasSubstr("is not what it was")) << how;
    EXPECT_THAT(Store::try_reading(directory).fault.value_or(""), testing::HasSubstr("is not what it was"))
        << how;
    EXPECT_EQ(files_with_data(directory), files) << how;
    std::filesystem::copy_file(aside, manifest, std::filesystem::copy_options::overwrite_existing);
  };
  for (std::uintmax_t cut = 1; cut < size; cut += 1 + size / 12) {
    std::filesystem::resize_file(manifest, size - cut);
    expect_refused("cut by " + std::to_string(cut));
  }
  for (std::uintmax_t at = 0; at < size; at += 1 + size / 12) {
    test::flip(manifest, at, 0x10);
    expect_refused("flipped at " + std::to_string(at));
  }
  const std::string note = directory + "/store/manifest-noted";
  for (std::uintmax_t at = 0; at < std::filesystem::file_size(note); at += 5) {
    test::flip(note, at, 1);
    EXPECT_FALSE(Store::try_reading(directory).fault) << "a damaged note says nothing: " << at;
    open();
    store.reset();
  }
  open();
  for (std::uint64_t i = 0; i < 4; ++i) EXPECT_EQ(get(Table::accounts, number_key(i)), "value");
}

TEST_F(StoreOpening, OfADamagedTableFileIsNoticed) {
  open();
  for (std::uint64_t i = 0; i < 2000; ++i) put(Table::projects, number_key(i), std::string(50, 'p'));
  reopen();  // the log's contents are in table files now
  store.reset();
  for (const auto& entry : std::filesystem::directory_iterator(directory + "/store"))
    if (entry.path().extension() == ".sst") {
      std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
      for (std::uintmax_t at = 0; at < entry.file_size(); at += 997) {
        file.seekp(static_cast<std::streamoff>(at));
        file.write("\xa5\x5a", 2);
      }
    }
  auto opened = Store::open(directory);
  if (!opened) {
    EXPECT_TRUE(opened.error().starts_with(directory + ": ")) << opened.error();
    return;
  }
  int unreadable = 0;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const auto value = (*opened)->get(Table::projects, number_key(i));
    unreadable += value ? 0 : 1;
    ASSERT_TRUE(!value || !*value || **value == std::string(50, 'p'));
  }
  EXPECT_GT(unreadable, 0);
  EXPECT_FALSE(
      (*opened)->scan(Table::projects, "", Store::Order::ascending, "", [](auto, auto) { return true; }));
}

}  // namespace
