// An address index on disk under attack: files that are cut off, altered, of another version, replaced while
// they are read; houses and texts as odd as they come. It answers rightly, is refused with one clear
// sentence, or ends the question with DamagedPages. It never answers with another house.
#include <gmock/gmock.h>
#include <sqlite3.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <future>
#include <random>
#include <thread>

#include "geo/addresses/index_file.hpp"
#include "geo/addresses/register.hpp"
#include "tests/geo/both_registers.hpp"

namespace {

using namespace geo;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using Kind = AddressMatch::Kind;

struct AddressIndexes : ::testing::Test {
  test::TemporaryFolder folder;
  std::string path = folder.file("houses.addr");

  static std::vector<House> village(int houses, const std::string& town = "Neudorf") {
    std::vector<House> all;
    for (int i = 0; i < houses; ++i)
      all.push_back({"Straße " + std::string(1, static_cast<char>('A' + i % 20)) + "weg",
                     std::to_string(1 + i / 20),
                     "5" + std::to_string(1000 + i % 7),
                     town + std::to_string(i % 7),
                     "DE",
                     {8 + i * 1e-4, 50 + i % 13 * 1e-3}});
    return all;
  }
  std::string bytes() const {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void put(const std::string& bytes) const { std::ofstream(path, std::ios::binary) << bytes; }
  std::string refusal() const {
    const auto index = AddressIndex::open(path);
    return index ? "opened" : index.error().text;
  }
};

TEST_F(AddressIndexes, ThatAreNoneOrNotCompleteAreRefusedWithWhatToDo) {
  test::write_index(village(2000), path);
  const std::string whole = bytes();
  for (const std::size_t length :
       {whole.size() - 1, whole.size() - 4096, whole.size() / 2, std::size_t{4096}}) {
    put(whole.substr(0, length));
    EXPECT_THAT(refusal(), HasSubstr("is not complete: import it again")) << length;
    EXPECT_THAT(refusal(), HasSubstr(path));
  }
  for (const std::string& other : {std::string(), std::string("strasse,hausnummer\n"), whole.substr(0, 99),
                                   std::string(5000, '\0'), std::string("SQLite format 3")}) {
    put(other);
    EXPECT_FALSE(is_address_index(path));
    EXPECT_THAT(refusal(), HasSubstr("is not an address index"));
  }
  EXPECT_FALSE(is_address_index(folder.file("nowhere.addr")));
  EXPECT_FALSE(is_address_index(folder.path().string()));
}

TEST_F(AddressIndexes, OfAnotherVersionAreRefused) {
  test::write_index(village(20), path);
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  sqlite3_exec(database, "PRAGMA user_version=7", nullptr, nullptr, nullptr);
  sqlite3_close(database);
  EXPECT_TRUE(is_address_index(path));
  EXPECT_THAT(refusal(), HasSubstr("version 7"));
  EXPECT_THAT(refusal(), HasSubstr("import it again"));
}

TEST_F(AddressIndexes, WhoseBytesWereAlteredNeverAnswerWithAnotherHouse) {
  const auto houses = village(3000);
  test::write_index(houses, path);
  const std::string whole = bytes();
  std::mt19937 random(17);
  int refused = 0, damaged = 0, right = 0, unknown = 0;
  for (int round = 0; round < 300; ++round) {
    std::string altered = whole;
    for (unsigned flips = 1 + random() % 40; flips > 0; --flips)
      altered[100 + random() % (altered.size() - 100)] ^= static_cast<char>(1U << random() % 8);
    put(altered);
    auto index = AddressIndex::open(path);
    if (!index) {
      ++refused;
      continue;
    }
    std::vector<AddressIndex> registers;
    registers.push_back(std::move(*index));
    const AddressRegister all(std::move(registers));
    for (int asked = 0; asked < 20; ++asked) {
      const House& house = houses[random() % houses.size()];
      try {
        const auto match = all.find(spelling_of(house));
        if (match.kind != Kind::house) {
          ++unknown;
          continue;
        }
        ++right;
        ASSERT_EQ(spelling_of(match.house), spelling_of(house));
        ASSERT_LT(metres_between(match.house.place, house.place), 250);
        all.near(house.place, 0.0012);
      } catch (const DamagedPages& damage) {
        ++damaged;
        EXPECT_THAT(damage.what(), HasSubstr("import it again"));
      }
    }
  }
  EXPECT_GT(damaged, 0);
  EXPECT_GT(right, 1000);
  EXPECT_GT(refused + damaged + unknown, 0);
}

TEST_F(AddressIndexes, ThatAreReplacedWhileTheyAreReadAreReadOnAsTheyWere) {
  test::write_index(village(2000, "Alt"), path);
  const auto before = test::opened({path});
  test::write_index(village(2000, "Neu"), path);
  const auto after = test::opened({path});
  EXPECT_EQ(before.find("Straße Aweg 1, Alt0").kind, Kind::house);
  EXPECT_EQ(after.find("Straße Aweg 1, Neu0").kind, Kind::house);
  std::filesystem::remove(path);
  EXPECT_EQ(before.find("Straße Bweg 2, Alt0").kind, before.find("Straße Bweg 2, Alt0").kind);
  EXPECT_EQ(after.find("Straße Aweg 1, Neu0").kind, Kind::house);
}

/// The one that asks has to wait, or else to read the new file.
TEST_F(AddressIndexes, ThatAreReplacedAreReadOnByManyAtOnceAsTheyWere) {
  const auto houses = village(2000, "Alt");
  test::write_index(houses, path);
  const auto all = test::opened({path});
  test::write_index(village(2000, "Neu"), path);
  std::future<AddressMatch> asked;
  const bool found = all.any({7, 49, 9, 51}, [&](LonLat) {
    asked = std::async(std::launch::async, [&] { return all.find(spelling_of(houses[0])); });
    asked.wait_for(std::chrono::milliseconds(100));
    return true;
  });
  ASSERT_TRUE(found);
  const auto match = asked.get();
  ASSERT_EQ(match.kind, Kind::house);
  EXPECT_EQ(spelling_of(match.house), spelling_of(houses[0]));
}

TEST_F(AddressIndexes, ThatAreReplacedAfterAFailureAreNeverMixedWithTheNewOne) {
  const auto houses = village(2000, "Alt");
  test::write_index(houses, path);
  const std::string whole = bytes(), old = folder.file("old.addr");
  const auto all = test::opened({path});
  std::filesystem::create_hard_link(path, old);
  std::filesystem::resize_file(path, 4096);
  const auto ask = [&] { return all.find(spelling_of(houses[0])).kind; };
  EXPECT_THROW(ask(), DamagedPages);
  test::write_index(village(2000, "Neu"), path);
  EXPECT_THROW(ask(), DamagedPages);
  std::ofstream(old, std::ios::binary) << whole;
  EXPECT_EQ(ask(), Kind::house) << "it is whole again";
}

/// As if pages of two files were mixed: each is whole and they do not fit each other.
TEST_F(AddressIndexes, WhosePagesNameTownsOrStreetsThatAreNotThereEndTheQuestion) {
  const auto houses = village(2000);
  for (const std::uint64_t tables : {1, 2}) {
    AddressIndexBuilder of_one;
    for (const House& house : houses) of_one.add(house);
    auto writer = AddressIndexWriter::create(path);
    ASSERT_TRUE(writer) << writer.error().text;
    of_one.write([&](PageId id, std::string_view bytes) {
      (*writer)->add(id, id == page_id(PageKind::summary, tables) ? bytes.substr(0, 1) : bytes);
    });
    ASSERT_TRUE((*writer)->finish());
    const auto all = test::opened({path});
    int ended = 0;
    for (const char* text : {"Straße Bweg 2, Neudorf3", "Straße Cweg, 51003", "Strasse Dwegg 1 Neudorf",
                             "Straße Aweg 1 Neudorf0 51000"})
      try {
        all.find(text);
      } catch (const DamagedPages&) {
        ++ended;
      }
    EXPECT_GE(ended, 3) << tables;
  }
}

TEST_F(AddressIndexes, ThatAreCutOffWhileTheyAreReadEndTheQuestionAndNotTheProgram) {
  const auto houses = village(20'000);
  test::write_index(houses, path);
  const auto all = test::opened({path});
  std::filesystem::resize_file(path, 8192);
  int damaged = 0;
  for (std::size_t i = 0; i < houses.size(); i += 100) try {
      const auto match = all.find(spelling_of(houses[i]));
      EXPECT_TRUE(match.kind != Kind::house || spelling_of(match.house) == spelling_of(houses[i]));
    } catch (const DamagedPages&) {
      ++damaged;
    }
  EXPECT_GT(damaged, 0);
}

TEST_F(AddressIndexes, AnswerManyThreadsAtOnce) {
  const auto houses = village(5000);
  test::write_index(houses, path);
  const auto all = test::opened({path});
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 6; ++t)
    threads.emplace_back([&, t] {
      std::mt19937 random(t);
      for (int i = 0; i < 300; ++i) {
        const House& house = houses[random() % houses.size()];
        const auto match = all.find(spelling_of(house));
        if (match.kind == Kind::house && spelling_of(match.house) == spelling_of(house) &&
            !all.near(house.place, 0.0001).empty())
          ++right;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 1800);
}

TEST_F(AddressIndexes, InAFolderWithAnOddNameAreOpened) {
  const auto odd = folder.path() / "a b%20?x#y&z'ü";
  std::filesystem::create_directory(odd);
  const std::string there = (odd / "häuser ?#%.addr").string();
  test::write_index(village(20), there);
  EXPECT_EQ(test::opened({there}).size(), 20U);
}

TEST_F(AddressIndexes, ThatAreNotFinishedLeaveNothing) {
  test::write_index(village(20), path);
  const std::string before = bytes();
  {
    auto writer = AddressIndexWriter::create(path);
    ASSERT_TRUE(writer) << writer.error().text;
    (*writer)->add(1, "half");
    const auto second = AddressIndexWriter::create(path);
    ASSERT_FALSE(second);
    EXPECT_THAT(second.error().text, HasSubstr("another import"));
  }
  EXPECT_EQ(bytes(), before);
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
  const auto nowhere = AddressIndexWriter::create(folder.file("no/such/folder.addr"));
  ASSERT_FALSE(nowhere);
  EXPECT_THAT(nowhere.error().text, HasSubstr("cannot be written"));
}

TEST_F(AddressIndexes, OfNoHouseAnswerThatTheyKnowNone) {
  const test::BothRegisters none({});
  EXPECT_EQ(none.find("Hauptstraße 5, Linz").kind, Kind::unknown);
  EXPECT_TRUE(none.near({13, 48}, 90).empty());
}

TEST_F(AddressIndexes, HoldNamesOfAnyBytesAndLength) {
  const std::string long_name(30'000, 'x'), nul("Ga\0sse", 6),
      broken(
          "Stra\xDF"
          "e");
  const std::string gothic = "\xF0\x90\x8C\xB0\xF0\x90\x8C\xB1gasse", emoji = "\xF0\x9F\x8F\xA0weg";
  const std::vector<std::string> streets = {long_name, nul, broken, gothic, emoji, "", ",", "1", "Straße"};
  std::vector<House> houses;
  for (std::size_t i = 0; i < streets.size(); ++i)
    for (const char* number : {"1", "", "\xFF", "12a-c"})
      houses.push_back({streets[i],
                        number,
                        "4020",
                        i % 2 ? "Linz" : "Linz\xC3",
                        "AT",
                        {14.3 + 0.01 * static_cast<double>(i), 48.3}});
  const test::BothRegisters all(houses);
  EXPECT_EQ(all.find(gothic + " 1, 4020 Linz").kind, Kind::house);
  EXPECT_EQ(all.find(gothic + " 12a-12c, Linz").kind, Kind::house);
  for (const House& house : houses)
    if (const auto match = all.find(spelling_of(house)); match.kind == Kind::house) {
      EXPECT_EQ(normal_address_text(spelling_of(match.house)), normal_address_text(spelling_of(house)));
    }
  EXPECT_THAT(all.near({14.3, 48.3}, 1), SizeIs(houses.size()));
}

TEST_F(AddressIndexes, TakeTextsOfManyWordsAndOfPostcodesAlone) {
  const test::BothRegisters all(village(500));
  std::string words;
  for (int i = 0; i < 200; ++i) words += "Straße ";
  for (const std::string& text :
       {words, words + "Aweg 1 Neudorf0", std::string("51000"), std::string("51000 51001"), std::string("5"),
        std::string(3000, '5'), std::string("51000 Neudorf0")})
    EXPECT_EQ(all.find(text).kind, Kind::unknown) << text.substr(0, 40);
}

TEST_F(AddressIndexes, HoldHousesAtOnePlaceAndNowhere) {
  std::vector<House> houses;
  for (int i = 0; i < 300; ++i)
    houses.push_back({"Gasse", std::to_string(i), "1010", "Wien", "AT", {16.37, 48.21}});
  houses.push_back({"Nirgends", "1", "1010", "Wien", "AT", {HUGE_VAL, 48}});
  houses.push_back({"Nirgends", "2", "1010", "Wien", "AT", {NAN, NAN}});
  houses.push_back({"Pol", "1", "", "Nord", "", {180, 90}});
  const test::BothRegisters all(houses);
  EXPECT_THAT(all.near({16.37, 48.21}, 1e-9), SizeIs(300));
  EXPECT_EQ(all.find("Nirgends 1, 1010 Wien").kind, Kind::unknown);
  EXPECT_EQ(all.find("Pol 1, Nord").house.place.lat_deg, 90);
}

TEST_F(AddressIndexes, FindAHouseAmongAHundredThousandOfOneStreet) {
  std::vector<House> houses;
  for (int i = 0; i < 100'000; ++i)
    houses.push_back({"Lange Straße", std::to_string(i), "39999", "Lang", "DE", {10 + i * 1e-6, 51}});
  for (int i = 0; i < 20'000; ++i)
    houses.push_back({"Ohne Nummer", "", "39999", "Lang", "DE", {10 + i * 1e-4, 52}});
  test::write_index(houses, path);
  const auto all = test::opened({path});
  EXPECT_EQ(all.find("Lange Str. 77777, Lang").house.number, "77777");
  EXPECT_THAT(all.find("Lange Straße 100001, Lang").candidates, SizeIs(10));
  EXPECT_GT(all.find("Ohne Nummer, 39999 Lang").candidates.size(), 1U);
  for (const std::string& candidate : all.find("Ohne Numer, 39999 Lang").candidates)
    EXPECT_EQ(all.find(candidate).kind, Kind::house) << candidate;
}

// Registers in one catalogue answer as one.
TEST_F(AddressIndexes, OfSeveralRegistersAnswerTogether) {
  const std::string other = folder.file("other.addr");
  test::write_index({{"Gasse", "1", "4020", "Linz", "AT", {14.3, 48.3}},
                     {"Weg", "1", "", "Neustadt", "DE", {10, 50}},
                     {"Allee", "7", "", "Neustadt", "DE", {10, 50.01}}},
                    path);
  test::write_index({{"Gasse", "1", "3011", "Bern", "CH", {7.45, 46.95}},
                     {"Weg", "1", "", "Neustadt", "DE", {11, 52}},
                     {"Allee", "7", "", "Neustadt", "DE", {10, 50.01}}},
                    other);
  const auto all = test::opened({path, other});
  EXPECT_EQ(all.size(), 6U);
  EXPECT_EQ(all.find("Gasse 1, Linz").house.country, "AT");
  EXPECT_EQ(all.find("Gasse 1, Bern").house.country, "CH");
  EXPECT_THAT(all.find("Gasse 1").candidates, SizeIs(2));
  EXPECT_EQ(all.find("Allee 7, Neustadt").kind, Kind::house) << "the same house in both";
  const auto both = all.find("Weg 1, Neustadt");
  ASSERT_EQ(both.kind, Kind::ambiguous);
  ASSERT_THAT(both.candidates, SizeIs(2));
  for (const std::string& candidate : both.candidates) {
    ASSERT_EQ(all.find(candidate).kind, Kind::house) << candidate;
    EXPECT_EQ(spelling_of(all.find(candidate).house), candidate);
  }
  EXPECT_EQ(all.registers_near({14.3, 48.3}, 0.001), std::vector<std::size_t>{0});
  EXPECT_EQ(all.registers_near({7.45, 46.95}, 0.001), std::vector<std::size_t>{1});
  EXPECT_EQ(all.registers_near({10, 50.01}, 0.001), (std::vector<std::size_t>{0, 1}));
  EXPECT_TRUE(all.registers_near({9, 53}, 0.001).empty());
}

}  // namespace
