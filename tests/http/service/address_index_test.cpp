// The real program with address registers on disk: `roofd geodata import-addresses` makes them, the service
// answers from them.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "tests/http/service/running_service.hpp"

namespace {

namespace fs = std::filesystem;
using test::run_roofd;
using test::RunningService;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// The sample region with its register, and Essen's, as indexes.
struct IndexedRegion {
  TemporaryFolder folder;
  IndexedRegion() {
    fs::copy(fs::path(test::sample_region().catalogue).parent_path(), folder.path("region"),
             fs::copy_options::recursive);
    std::ofstream(folder.path("essen.csv"))
        << "strasse,hausnummer,plz,ort,land,lon,lat\nMarkt,1,45127,Essen,DE,7.0123,51.4575\n";
    import(folder.path("region/addresses.csv"), "houses.addr");
    import(folder.path("essen.csv"), "essen.addr");
    nlohmann::json catalogue = nlohmann::json::parse(std::ifstream(this->catalogue()));
    auto& sets = catalogue["datasets"];
    sets.erase(
        std::remove_if(sets.begin(), sets.end(), [](const auto& set) { return set["kind"] == "addresses"; }),
        sets.end());
    sets.push_back({{"kind", "addresses"}, {"path", "essen.addr"}, {"name", "Essens Register"}});
    sets.push_back({{"kind", "addresses"}, {"path", "houses.addr"}, {"name", "Register der Siedlung"}});
    std::ofstream(this->catalogue()) << catalogue;
  }
  std::string catalogue() const { return folder.path("region/geodata.json"); }
  void import(const std::string& file, const std::string& index) const {
    const auto done = run_roofd(
        {"geodata", "import-addresses", file, "--as=csv", "--out=" + folder.path("region/" + index)});
    ASSERT_EQ(done.exit_code, 0) << done.err;
    EXPECT_THAT(done.out, AllOf(HasSubstr(index), HasSubstr("addresses, read as UTF-8")));
  }
};

TEST(AddressIndex, AnswersAndIsNamedAmongTheSources) {
  const IndexedRegion region;
  RunningService service({}, region.catalogue());
  const std::string key = service.new_key();
  const std::string address = test::sample_region().addresses[0];
  const auto created = service.create(key, 0);
  ASSERT_EQ(created.status, 202) << created.body;

  const auto comma = address.find(','), number = address.find_last_of(' ', comma);
  const std::string street = address.substr(0, number);
  const auto street_alone =
      service.post("/projekte", key, test::project_order(street + address.substr(comma)).dump());
  EXPECT_EQ(street_alone.code(), "adresse_nicht_eindeutig") << street_alone.body;
  EXPECT_FALSE(street_alone.json()["fehler"]["gefunden"].empty());
  std::string typo = address;
  std::swap(typo[2], typo[3]);
  EXPECT_EQ(service.post("/projekte", key, test::project_order(typo).dump()).code(),
            "adresse_nicht_eindeutig");
  EXPECT_EQ(service.post("/projekte", key, test::project_order("Nirgendsgasse 5, Essen").dump()).code(),
            "adresse_nicht_gefunden");

  const auto result = service.await_result(key, created.json()["projekt_id"]);
  ASSERT_EQ(result.status, 200) << result.body;
  EXPECT_THAT(result.body, HasSubstr("Register der Siedlung"));
  EXPECT_EQ(result.body.find("Essens Register"), std::string::npos) << "no house of its was used";
}

TEST(AddressIndex, ThatIsDamagedOrCutOffIsToldBeforeTheStart) {
  const IndexedRegion region;
  const std::string index = region.folder.path("region/houses.addr");
  fs::resize_file(index, fs::file_size(index) - 100);
  const auto checked =
      run_roofd({"config", "check", "--geodata=" + region.catalogue(),
                 "--data-dir=" + region.folder.path("data"), "--http.port=0", "--admin.port=0"});
  EXPECT_EQ(checked.exit_code, 2) << checked.out;
  EXPECT_THAT(checked.err, AllOf(HasSubstr("houses.addr"), HasSubstr("is not complete: import it again")));
}

TEST(ImportAddresses, RefusesWithOneSentenceAndLeavesNothing) {
  const TemporaryFolder folder;
  std::ofstream(folder.path("bad.csv"))
      << "strasse,hausnummer,plz,ort,land,lon,lat\nWeg,1,4020,Linz,AT,0,0\n";
  const std::string out = folder.path("out.addr");
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"geodata", "import-addresses"},
        {"geodata", "import-addresses", folder.path("bad.csv")},
        {"geodata", "import-addresses", folder.path("bad.csv"), "--as=csv"},
        {"geodata", "import-addresses", folder.path("bad.csv"), "--as=hk", "--out=" + out},
        {"geodata", "import-addresses", folder.path("bad.csv"), "--as=csv", "--out=" + out},
        {"geodata", "import-addresses", folder.path("none.csv"), "--as=csv", "--out=" + out},
        {"geodata", "import-addresses", folder.path("bad.csv"), "--as=csv", "--out=/proc/no/out.addr"}}) {
    const auto ended = run_roofd(arguments);
    EXPECT_EQ(ended.exit_code, 2) << ended.out;
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
    EXPECT_THAT(ended.out, IsEmpty());
  }
  EXPECT_THAT((std::vector<fs::path>(fs::directory_iterator(folder.path()), {})), SizeIs(1));
}

}  // namespace
