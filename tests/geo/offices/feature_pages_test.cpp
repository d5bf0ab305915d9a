// Sets that come as pages of a feature service: WFS and OGC API Features, with what servers make of them.
#include "geo/offices/feature_pages.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "geo/offices/listing_forms.hpp"
#include "outlines_fixture.hpp"

namespace {

using namespace geo::offices;
using test::Outlines;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string refused(std::string_view text, const FindRule& rule) {
  const auto listing = read_feature_count(text, "https://a.de/hits", rule);
  return listing ? std::to_string(listing->files.size()) + " pages" : listing.error().text;
}

FindRule pages_of(std::uint64_t size, const std::string& url = "https://a.de/items?offset={offset}") {
  FindRule rule{.method = FindMethod::features};
  rule.page_url = url;
  rule.page_size = size;
  return rule;
}

// GeoServer (Berlin), MapServer and deegree (Hamburg, Brandenburg, Bremen) each have their way to say it.
TEST(FeatureCount, IsReadFromEveryServersAnswer) {
  const auto said = [](const std::string& attributes) {
    return R"(<?xml version="1.0" encoding="UTF-8"?><wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs/2.0" )" +
           attributes + R"( timeStamp="2026-11-28T10:00:00Z"/>)";
  };
  for (const std::string& answer :
       {said(R"(numberMatched="782123" numberReturned="0")"), said(R"(numberOfFeatures="782123")"),
        std::string(R"({"type":"FeatureCollection","features":[],"numberMatched":782123})"),
        std::string(R"({"features":[{"id":"a"}],"numberReturned":1,"numberMatched":"782123"})"),
        std::string(R"({"features":[],"totalFeatures":782123,"numberMatched":"unknown"})")})
    EXPECT_EQ(refused(answer, pages_of(5000)), "157 pages") << answer;
  EXPECT_EQ(refused(said(R"(numberMatched="unknown" numberReturned="0")"), pages_of(5000)),
            "https://a.de/hits: does not tell how many features there are");
  EXPECT_EQ(refused(said(R"(numberMatched="0")"), pages_of(5000)), "0 pages");
  EXPECT_THAT(refused(said(R"(numberMatched="18446744073709551615")"), pages_of(1)),
              HasSubstr("more features than a million pages hold"));
  EXPECT_EQ(refused(R"(<ows:ExceptionReport xmlns:ows="http://www.opengis.net/ows/1.1"><ows:Exception>)"
                    "<ows:ExceptionText>Unknown type: gebaeude</ows:ExceptionText></ows:Exception>"
                    "</ows:ExceptionReport>",
                    pages_of(5000)),
            "https://a.de/hits: the service refuses: Unknown type: gebaeude");
  EXPECT_THAT(refused("<html><body>Wartung</body></html>", pages_of(5000)), HasSubstr("its root is html"));
  EXPECT_THAT(refused("<wfs:FeatureCollection", pages_of(5000)), HasSubstr("is not XML as it should be"));
  EXPECT_THAT(refused("Wartung", pages_of(5000)), HasSubstr("is neither GeoJSON nor GML"));
  EXPECT_THAT(refused("", pages_of(5000)), HasSubstr("is neither GeoJSON nor GML"));
}

TEST(FeatureCount, OfADamagedAnswerIsACountOrASentence) {
  const std::string gml =
      R"(<?xml version="1.0"?><wfs:FeatureCollection xmlns:wfs="w" xmlns:gml="g" numberMatched="7">)"
      R"(<wfs:member><a:h xmlns:a="a" gml:id="h1"><a:g>1 2</a:g></a:h></wfs:member></wfs:FeatureCollection>)";
  const std::string json =
      R"({"features":[{"type":"Feature","id":"h1","geometry":{"coordinates":[1,2]}}],"numberMatched":7})";
  for (const std::string& good : {gml, json})
    for (std::size_t at = 0; at < good.size(); ++at)
      for (const char value : {'\0', '\xFF', '<', '"', '{', '9', '&'}) {
        std::string broken = good;
        broken[at] = value;
        for (const std::string& answer : {broken, broken.substr(0, at)}) {
          const auto listing = read_feature_count(answer, "https://a.de/hits", pages_of(10));
          if (!listing) {
            ASSERT_TRUE(listing.error().text.starts_with("https://a.de/hits: ")) << listing.error().text;
          }
        }
      }
}

TEST(FeatureCount, BecomesPagesOfWhichTheLastHasTheRest) {
  const auto listing =
      read_feature_count(R"({"features":[],"numberMatched":25})", "https://a.de/", pages_of(10));
  ASSERT_TRUE(listing);
  ASSERT_EQ(listing->files.size(), 3U);
  EXPECT_EQ(listing->files[0].url, "https://a.de/items?offset=0");
  EXPECT_EQ(listing->files[2].url, "https://a.de/items?offset=20");
  EXPECT_EQ(listing->files[2].page->first, 20U);
  EXPECT_EQ(listing->files[2].page->count, 5U);
  EXPECT_EQ(listing->files[2].page->most, 10U);
  EXPECT_EQ(read_feature_count(R"({"features":[],"numberMatched":25})", "https://a.de/",
                               pages_of(10, "https://a.de/?n={count}&at={offset}&again={count}"))
                ->files[1]
                .url,
            "https://a.de/?n=10&at=10&again=10");
}

TEST(FeatureCount, OfMoreThanOnePageNeedsAnOffset) {
  const FindRule one = pages_of(30, "https://a.de/all");
  EXPECT_EQ(refused(R"({"features":[],"numberMatched":30})", one), "1 pages");
  EXPECT_THAT(
      refused(R"({"features":[],"numberMatched":31})", one),
      HasSubstr("has 31 features, more than a page of 30, and the recipe's page_url has no {offset}"));
}

/// What a server makes of offset and limit.
struct Manners {
  int features = 25;
  int most_at_once = 1000;
  bool counts_so_far = false;   ///< and counts no further than that
  int behind = 200;             ///< the status of the page behind the last: empty, or no page
  bool excepts_behind = false;  ///< an exception with that status
  bool ignores_offset = false;
  bool ignores_count = false;
  bool shuffles = false;  ///< each page begins three features late
  bool writes_gml = false;
  int says = -1;       ///< another number than the true one, when it is asked for the number
  int pages_say = -1;  ///< and on its pages
  bool has_ids = true;
};

class FeatureService : public Outlines {
 protected:
  void SetUp() override {
    office_.answer_with([this](const test::OfficeServer::Request& request) -> std::optional<Answer> {
      const std::string target(request.target());
      if (!target.starts_with("/wfs?")) return {};
      if (target.find("hits") != std::string::npos)
        return Answer{.body = "<wfs:FeatureCollection numberMatched=\"" + std::to_string(counted()) + "\"/>"};
      const int asked = value_in(target, "startindex=");
      if (asked >= counted() && (manners_.behind != 200 || manners_.excepts_behind))
        return Answer{.status = manners_.behind, .body = "<ows:ExceptionReport/>"};
      if (asked < counted()) ++asked_;
      int first = manners_.ignores_offset ? 0 : std::min(asked, manners_.features);
      if (manners_.shuffles) first = std::max(0, first - 3);
      const int wanted = manners_.ignores_count ? manners_.features : value_in(target, "count=");
      return page(first, std::min({manners_.features, first + wanted, first + manners_.most_at_once}));
    });
  }
  using Answer = test::LoopbackServer::Answer;
  int counted() const {
    if (manners_.counts_so_far) return std::min(manners_.features, manners_.most_at_once);
    return manners_.says < 0 ? manners_.features : manners_.says;
  }
  static int value_in(const std::string& target, const std::string& name) {
    return std::stoi(target.substr(target.find(name) + name.size()));
  }
  /// Squares of 10 m in Essen, one every 20 m.
  Answer page(int first, int end) const {
    std::string features;
    for (int i = first; i < end; ++i) {
      const auto corner = [&](int east, int north, char between) {
        return std::to_string(360000 + 20 * i + east) + between + std::to_string(5702000 + north);
      };
      const std::string id = manners_.has_ids ? "gebaeude." + std::to_string(i) : "";
      if (manners_.writes_gml)
        features += "<wfs:member><app:gebaeude gml:id=\"" + id +
                    "\"><app:geom><gml:Polygon srsName=\"urn:ogc:def:crs:EPSG::25832\"><gml:exterior>"
                    "<gml:LinearRing><gml:posList>" +
                    corner(0, 0, ' ') + " " + corner(10, 0, ' ') + " " + corner(10, 10, ' ') + " " +
                    corner(0, 10, ' ') + " " + corner(0, 0, ' ') +
                    "</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></app:geom></app:gebaeude>"
                    "</wfs:member>";
      else
        features += (i > first ? "," : "") + (R"({"type":"Feature","id":")" + id) +
                    R"(","properties":{"gfk":1010},"geometry":{"type":"Polygon","coordinates":[[[)" +
                    corner(0, 0, ',') + "],[" + corner(10, 0, ',') + "],[" + corner(10, 10, ',') + "],[" +
                    corner(0, 10, ',') + "],[" + corner(0, 0, ',') + "]]]}}";
    }
    const std::string all = std::to_string(manners_.pages_say < 0 ? manners_.features : manners_.pages_say),
                      sent = std::to_string(end - first);
    if (manners_.writes_gml)
      return {
          .body =
              R"(<?xml version="1.0" encoding="UTF-8"?><wfs:FeatureCollection numberMatched=")" + all +
              R"(" numberReturned=")" + sent +
              R"(" xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:app="http://a.de/app">)"
              "<wfs:boundedBy><gml:Envelope/></wfs:boundedBy>" +
              features + "</wfs:FeatureCollection>"};
    return {.body = R"({"type":"FeatureCollection","features":[)" + features + R"(],"numberMatched":)" + all +
                    R"(,"numberReturned":)" + sent +
                    R"(,"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::25832"}}})"};
  }
  Recipe service(int page_size = 10) {
    const std::string query = office_.url("/wfs?request=GetFeature");
    auto made = read_recipe(
        R"({"id":"test","title":"T","provider":"P","licence":"L","notice":"N","crs":"EPSG:25832","heights":"H",
      "outline":[[5,50],[9,50],[9,53],[5,53]],"sources":[{"kind":"buildings","title":"B","file_mb":1,"form":"vector","refresh_days":1,
      "find":{"method":"features","urls":[")" +
            query + R"(&resulttype=hits"],"page_url":")" + query +
            R"(&count={count}&startindex={offset}","page_size":)" + std::to_string(page_size) + "}}]}",
        "test");
    if (!made) throw std::runtime_error(made.error().text);
    return *made;
  }

  Manners manners_;
  std::atomic<int> asked_ = 0;
};

TEST_F(FeatureService, IsTakenPageByPageAndJoined) {
  for (const bool gml : {false, true}) {
    manners_ = {.writes_gml = gml};
    asked_ = 0;
    const Recipe recipe = service();
    const SetPlan set = planned(recipe, "", false).sets.front();
    EXPECT_EQ(set.found.files.size(), 3U);
    const SetOutcome outcome = acquired(set);
    EXPECT_THAT(outcome.problems, IsEmpty()) << gml;
    EXPECT_EQ(asked_, 3);
    EXPECT_EQ(count(), 25U);
    std::filesystem::remove_all(folder_.root());
  }
}

TEST_F(FeatureService, OfAnAreaIsTakenWholeAndKeptWhereTheAreaIs) {
  const Recipe recipe = service();
  const SetPlan set = planned(recipe, "6.95,51.40,6.9885,51.50", false).sets.front();
  EXPECT_EQ(set.found.files.size(), 3U) << "nobody knows on which page a house stands";
  EXPECT_THAT(acquired(set).problems, IsEmpty());
  EXPECT_GT(count(), 0U);
  EXPECT_LT(count(), 25U);
}

TEST_F(FeatureService, ThatSendsFewerThanAPageHasIsRefusedAndNotTakenForTheWhole) {
  manners_.most_at_once = 4;
  const SetOutcome outcome = acquired(service(), "");
  EXPECT_EQ(outcome.failed, 3U);
  ASSERT_FALSE(outcome.problems.empty());
  EXPECT_THAT(outcome.problems.front(),
              AllOf(HasSubstr("startindex=0: holds 4 features, and should hold 10"), HasSubstr("page_size")));
  EXPECT_EQ(count(), 0U);
  EXPECT_FALSE(outcome.complete());
}

TEST_F(FeatureService, ThatSendsTheFirstPageAgainAndAgainIsRefused) {
  manners_.ignores_offset = true;
  const SetOutcome outcome = acquired(service(), "");
  ASSERT_FALSE(outcome.problems.empty());
  EXPECT_THAT(outcome.problems.front(), HasSubstr("holds the features of other pages"));
  EXPECT_EQ(count(), 0U);
}

TEST_F(FeatureService, ThatSaysAnExceptionInsteadOfAPageIsHeardAndOnlyThatPageIsAskedForAgain) {
  const auto good = [this](const test::OfficeServer::Request& request) -> std::optional<Answer> {
    const std::string target(request.target());
    const int first = std::min(manners_.features, value_in(target, "startindex="));
    if (first < manners_.features) ++asked_;
    return page(first, std::min(manners_.features, first + 10));
  };
  const Recipe recipe = service();
  const SetPlan set = planned(recipe, "", false).sets.front();
  office_.answer_with([&](const test::OfficeServer::Request& request) -> std::optional<Answer> {
    if (std::string(request.target()).find("startindex=10") == std::string::npos) return good(request);
    ++asked_;
    return Answer{.body =
                      "<ows:ExceptionReport><ows:Exception><ows:ExceptionText>out of "
                      "memory</ows:ExceptionText></ows:Exception></ows:ExceptionReport>"};
  });
  const SetOutcome first = acquired(set);
  EXPECT_THAT(first.problems, ElementsAre(HasSubstr("startindex=10: the service refuses: out of memory")));
  EXPECT_EQ(first.held, 2U);
  EXPECT_EQ(asked_, 3);
  office_.answer_with(good);
  EXPECT_THAT(acquired(set).problems, IsEmpty());
  EXPECT_EQ(asked_, 4) << "the two good pages were here";
  EXPECT_EQ(count(), 25U);
}

// deegree and MapServer tell on a page how many that page holds.
TEST_F(FeatureService, IsHeldToItsCountAndNotToWhatAPageSays) {
  manners_ = {.most_at_once = 4, .pages_say = 4};
  EXPECT_FALSE(acquired(service(), "").complete());
  manners_ = {.pages_say = 10};
  EXPECT_THAT(acquired(service(), "").problems, IsEmpty());
  EXPECT_EQ(count(), 25U);
}

TEST_F(FeatureService, ThatHasAHouseLessOrMoreThanWereCountedIsCountedAnewByTheNextCall) {
  manners_.says = 26;
  EXPECT_THAT(acquired(service(), "").problems,
              ElementsAre(HasSubstr("startindex=20: holds 5 features, and should hold 6")));
  manners_.says = 24;
  EXPECT_THAT(acquired(service(), "").problems,
              ElementsAre(HasSubstr("says that there are 25 features, and 24 were counted; start again"),
                          HasSubstr("startindex=24: holds features behind the 24 that the service has")));
  manners_.says = -1;
  asked_ = 0;
  EXPECT_THAT(acquired(service(), "").problems, IsEmpty());
  EXPECT_EQ(asked_, 1) << "the last page alone";
  EXPECT_EQ(count(), 25U);
}

TEST_F(FeatureService, ThatSendsEachPageInAnotherOrderIsRefused) {
  manners_ = {.features = 300, .shuffles = true};
  const SetOutcome outcome = acquired(service(), "");
  ASSERT_FALSE(outcome.problems.empty());
  EXPECT_THAT(outcome.problems.back(), HasSubstr("test-buildings: 3 features came twice"));
  EXPECT_FALSE(outcome.complete());
  manners_.shuffles = false;
  asked_ = 0;
  EXPECT_THAT(acquired(service(), "").problems, IsEmpty());
  EXPECT_EQ(asked_, 30) << "none of the pages can be trusted";
}

// MapServer with wfs_maxfeatures.
TEST_F(FeatureService, ThatCountsNoFurtherThanItSendsAtOnceIsRefused) {
  manners_ = {.most_at_once = 8, .counts_so_far = true, .pages_say = 8};
  EXPECT_THAT(acquired(service(), "").problems,
              ElementsAre(HasSubstr("startindex=8: holds features behind the 8 that the service has")));
  EXPECT_EQ(count(), 0U);
}

TEST_F(FeatureService, ThatRefusesAPageBehindItsLastIsTaken) {
  for (const int status : {200, 400, 404}) {
    manners_ = {.behind = status, .excepts_behind = true};
    EXPECT_THAT(acquired(service(), "").problems, IsEmpty()) << status;
    EXPECT_EQ(count(), 25U);
    std::filesystem::remove_all(folder_.root());
  }
}

TEST_F(FeatureService, ThatIsBusyWhenItsEndIsAskedForHasNotShownIt) {
  manners_.behind = 503;
  const SetOutcome outcome = acquired(service(), "");
  EXPECT_FALSE(outcome.complete());
  EXPECT_EQ(count(), 0U);
  manners_.behind = 200;
  asked_ = 0;
  EXPECT_THAT(acquired(service(), "").problems, IsEmpty());
  EXPECT_EQ(asked_, 0) << "the pages are here";
  EXPECT_EQ(count(), 25U);
}

TEST_F(FeatureService, ThatSendsMoreThanAPageIsRefused) {
  manners_.ignores_count = true;
  EXPECT_THAT(acquired(service(), "").problems.front(),
              HasSubstr("holds 25 features, though 10 were asked for"));
}

TEST_F(FeatureService, WithoutIdentifiersIsToldApartByTheFeatures) {
  for (const bool gml : {false, true}) {
    manners_ = {.writes_gml = gml, .has_ids = false};
    EXPECT_THAT(acquired(service(), "").problems, IsEmpty()) << gml;
    EXPECT_EQ(count(), 25U);
    std::filesystem::remove_all(folder_.root());
    manners_.ignores_offset = true;
    EXPECT_FALSE(acquired(service(), "").complete()) << gml;
    std::filesystem::remove_all(folder_.root());
  }
}

TEST_F(FeatureService, ThatCannotSendWholePagesIsNotAskedForAHundredOfThem) {
  manners_ = {.features = 1000, .most_at_once = 4};
  const SetOutcome outcome = acquired(service(), "");
  EXPECT_EQ(outcome.failed, 100U);
  EXPECT_LT(asked_, 10);
}

TEST_F(FeatureService, ThatIsBeingFilledDoesNotTakeTheSetsPlace) {
  acquired(service(), "");
  const Recipe recipe = service();
  manners_.features = 12;
  for (const bool anew : {true, false}) {
    std::filesystem::remove_all(folder_.listings() / "x");
    for (const auto& entry : std::filesystem::directory_iterator(folder_.listings()))
      if (entry.path().extension() != ".made") std::filesystem::remove(entry.path());
    const SetPlan set = planned(recipe, "", anew).sets.front();
    EXPECT_THAT(loss_, HasSubstr("the service has 2 pages of features now, and the set was made of 3"));
    EXPECT_TRUE(set.found.files.empty());
  }
  EXPECT_EQ(count(), 25U);
}

TEST_F(FeatureService, WithNothingInItHasNoSetToOffer) {
  manners_.features = 0;
  EXPECT_THROW(planned(service(), "", false), std::runtime_error);
}

// Bremen's service sends all at once.
TEST(PageCheck, CountsATownAtOnceWithoutATree) {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("town.gml");
  std::ofstream out(file);
  out << R"(<wfs:FeatureCollection numberOfFeatures="40000" xmlns:wfs="w" xmlns:gml="g"><gml:featureMembers>)";
  for (int i = 0; i < 40000; ++i)
    out << "<app:h xmlns:app='a' gml:id='h" << i << "'><app:g><gml:Polygon><gml:posList>"
        << std::string(300, '1') << "</gml:posList></gml:Polygon></app:g></app:h>";
  out << "</gml:featureMembers></wfs:FeatureCollection>";
  out.close();
  ListedFile listed{.url = "https://a.de/all"};
  listed.page = FeaturePage{0, 40000, 1000000, 40000};
  EXPECT_TRUE(PageCheck().look_at(file, listed));
  listed.page = FeaturePage{0, 40001, 1000000, 40001};
  EXPECT_FALSE(PageCheck().look_at(file, listed)) << "a house is missing";
  listed.page = FeaturePage{0, 40000, 1000000, 40000};
  std::filesystem::resize_file(file, 5'000'000);
  EXPECT_FALSE(PageCheck().look_at(file, listed)) << "it was cut off";
}

}  // namespace
