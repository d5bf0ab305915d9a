// The economics page and its CSV: complete, escaped, and the same figures.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <pugixml.hpp>
#include <sstream>

#include "http/web/economics/charts.hpp"
#include "tests/http/web/economics_example.hpp"

namespace {

using namespace http;
using test::example_economics;
using ::testing::HasSubstr;
using ::testing::Not;

TemplateTexts templates() {
  TemplateTexts texts;
  const auto folder = std::filesystem::path(__FILE__).parent_path() / "../../../http/web/templates";
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    std::stringstream text;
    text << std::ifstream(file.path()).rdbuf();
    texts[file.path().stem().string()] = text.str();
  }
  return texts;
}

/// Throws when the template asks for a name that the data do not have.
std::string page(const EconomicsInput& input, const NameValues& query = {}) {
  static const Template made(templates(), "wirtschaftlichkeit");
  return made.render(economics_page(input, query, "/projekte/1/wirtschaftlichkeit"));
}

TEST(EconomicsPage, HasEveryNameItsTemplateAsksForWhateverIsMissing) {
  EXPECT_THAT(page(example_economics()), HasSubstr("Warum zwei Zahlen"));
  EconomicsInput farm = example_economics("AT");
  farm.load_profile = "L0";
  EXPECT_THAT(page(farm), Not(HasSubstr("Warum zwei Zahlen")));
  EXPECT_THAT(page(example_economics("CH")), HasSubstr("CHF"));
  EXPECT_THAT(page(example_economics("FR")), HasSubstr("Eigene Angabe"));
  EXPECT_THAT(page(example_economics(), {{"module", "0"}}), HasSubstr("Ohne Module keine Rechnung"));
  EXPECT_THAT(page(example_economics(), {{"verguetung", "de_voll_2025_08"}}), HasSubstr("Volleinspeisung:"));
  EconomicsInput empty = example_economics();
  empty.consumption_kwh = 0;
  EXPECT_THAT(page(empty), HasSubstr("keinen Verbrauch"));
  empty.analysis.surfaces.clear();
  EXPECT_THAT(page(empty), HasSubstr("Ohne Module"));
  EXPECT_THAT(page(empty), Not(HasSubstr("Bezahlt nach"))) << "and no figures of nothing";
  EXPECT_THAT(page(empty), Not(HasSubstr("keine Strahlungsdaten")));
  EconomicsInput far = example_economics();
  far.place = {-60, -10};
  EXPECT_THAT(page(far), HasSubstr("keine Strahlungsdaten"));
}

TEST(EconomicsPage, KeepsWhatWasTypedAsTextAndTellsTheFaultBesideIt) {
  EconomicsInput input = example_economics();
  input.project_name = "<script>alert(1)</script>";
  input.analysis.surfaces[0].name = "\"><script>";
  const std::string html = page(input, {{"preis_ct", "<script>alert(2)</script>"}});
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, HasSubstr("value=\"&lt;script&gt;alert(2)"));
  EXPECT_THAT(html, HasSubstr("id=\"preis_ct-fehler\""));
  EXPECT_THAT(html, Not(HasSubstr("style=")));
}

TEST(EconomicsPage, OfTheWorkedExampleShowsItsMoney) {
  const std::string html = page(example_economics(), {{"kosten_gesamt", "6.000"}, {"betrieb", "90"}});
  EXPECT_THAT(html, HasSubstr("beginnend mit den Kosten von 6.000 EUR"));
  EXPECT_THAT(html, HasSubstr("kosten_gesamt=6000"));
}

TEST(EconomicsPage, TellsHowLongATariffIsPaidAndWhenItIsOutOfDate) {
  EconomicsInput input = example_economics();
  const auto has = [&](const NameValues& query, const char* text) {
    return page(input, query).find(text) != std::string::npos;
  };
  EXPECT_FALSE(has({}, "Bezahlt wird 20 Jahre"));
  EXPECT_TRUE(has({{"jahre", "30"}}, "Bezahlt wird 20 Jahre"));
  EXPECT_FALSE(has({{"jahre", "30"}, {"verguetung", "eigene"}}, "Bezahlt wird 20 Jahre"));
  EXPECT_FALSE(has({}, "nicht mehr der Satz von heute"));
  input.today = std::chrono::year{2027} / 2 / 1;
  EXPECT_TRUE(has({}, "nicht mehr der Satz von heute"));
  EXPECT_FALSE(has({{"verguetung", "eigene"}}, "nicht mehr der Satz von heute"));
  input.country = "CH";
  EXPECT_FALSE(has({}, "nicht mehr der Satz von heute"));
}

TEST(EconomicsPage, ItsAddressGivesTheSamePageAgain) {
  const EconomicsInput input = example_economics();
  const TemplateData first =
      economics_page(input, {{"module", "7"}, {"preisanstieg_pct", "−1,5"}, {"jahre", "x"}}, "/w");
  const std::string address = first.get("teilen_url")->string_value();
  Request again;
  read_target(address, again);
  EXPECT_TRUE(again.well_formed);
  const TemplateData second = economics_page(input, again.query, "/w");
  for (const char* name : {"kwp", "kapitalwert", "bezahlt", "csv_url", "teilen_url"})
    EXPECT_EQ(first.get(name)->string_value(), second.get(name)->string_value()) << name;
  EXPECT_THAT(address, HasSubstr("preisanstieg_pct=-1,5"));
  EXPECT_THAT(address, HasSubstr("&jahre=20&"));
}

TEST(EconomicsCharts, AreWellFormedNamedAndWithoutStyle) {
  for (const NameValues& query :
       {NameValues{}, NameValues{{"module", "0"}}, NameValues{{"kosten_gesamt", "0"}},
        NameValues{{"jahre", "5"}, {"speicher_kwh", "1000"}}}) {
    const Economics e = test::computed(example_economics(), query);
    const Currency currency = currency_of("DE");
    for (const std::string& svg :
         {day_chart(e.profile_year, 0), day_chart(e.profile_year, 3), month_chart(e.profile_year),
          split_chart(e.main().energy), money_chart(e, currency)}) {
      pugi::xml_document document;
      ASSERT_TRUE(document.load_string(svg.c_str())) << svg;
      const pugi::xml_node root = document.child("svg");
      EXPECT_STREQ(root.attribute("role").value(), "img");
      EXPECT_FALSE(std::string(root.child("title").text().get()).empty());
      EXPECT_FALSE(std::string(root.child("desc").text().get()).empty());
      EXPECT_THAT(svg, Not(HasSubstr("style")));
      EXPECT_THAT(svg, Not(HasSubstr("nan")));
      EXPECT_THAT(svg, Not(HasSubstr("inf")));
    }
  }
}

TEST(EconomicsCsv, BeginsWithItsMarkHasAllAssumptionsAndTheYears) {
  EconomicsInput input = example_economics();
  input.project_name = "=HYPERLINK(\"x\");a";
  const std::string csv =
      economics_csv(input, {{"preis_ct", "31,5"}, {"jahre", "7"}, {"kosten_gesamt", "6000"}});
  EXPECT_TRUE(csv.starts_with("\xEF\xBB\xBFProjekt;\"'=HYPERLINK(\"\"x\"\");a\"\r\n"));
  EXPECT_THAT(csv, HasSubstr("\r\nStrompreis;31,5;ct/kWh\r\n"));
  EXPECT_THAT(csv, HasSubstr("\r\nKosten der Anlage;6000;EUR\r\n"));
  EXPECT_THAT(csv, HasSubstr("\r\nQuelle der Vergütung;"));
  EXPECT_THAT(csv, HasSubstr("\r\nHinweis zur Vergütung;"));
  EXPECT_THAT(csv, HasSubstr("\r\nGerechnet am;1.7.2017\r\n"));
  EXPECT_THAT(csv, HasSubstr("\r\nModule auf Fläche 1;10;Stück\r\n"));
  EXPECT_THAT(csv, HasSubstr("\r\n0;0;0;0;6000;-6000;-6000\r\n1;4096;"));
  EXPECT_THAT(csv, HasSubstr("\r\n7;"));
  EXPECT_THAT(csv, Not(HasSubstr("\r\n8;")));
  EXPECT_THAT(csv, Not(HasSubstr("Nicht übernommen")));
  EXPECT_THAT(economics_csv(input, {{"preis_ct", "viel"}}), HasSubstr("\r\nNicht übernommen: preis_ct;"));
}

}  // namespace
