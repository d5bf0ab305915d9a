// The economics form: what is read from the address, and what nobody should have typed.
#include <gmock/gmock.h>

#include "http/web/economics/typed_number.hpp"
#include "tests/http/web/economics_example.hpp"

namespace {

using namespace http;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

EconomicsForm form_of(const NameValues& query, const std::string& country = "DE") {
  return read_economics_form(test::example_economics(country), query);
}

TEST(TypedNumbers, AreReadAsPeopleTypeThem) {
  EXPECT_EQ(typed_number("7,86", false), 7.86);
  EXPECT_EQ(typed_number("7.86", false), 7.86);
  EXPECT_EQ(typed_number("6.000", true), 6000);
  EXPECT_EQ(typed_number("6.000", false), 6);
  EXPECT_EQ(typed_number("1.234.567,5", false), 1234567.5);
  EXPECT_EQ(typed_number("-1", false), -1);
  EXPECT_EQ(typed_number("−1,5", false), -1.5);
  for (const char* text :
       {"4500 ", " 4500", "4 500", "4'500", "4’500", "4\u00a0500", "4\u202f500,0", "4.500"})
    EXPECT_EQ(typed_number(text, true), 4500) << text;
  for (const char* text :
       {"", " ", "nan", "inf", "-inf", "1e3", "0x10", "1e308", "--1", "1,2,3", "1 00", "12 3456",
        "1 000.000,5", ",5", "5,", "+5", "<script>", "٣", "1234567890123456789012345"})
    EXPECT_FALSE(typed_number(text, true)) << text;
}

TEST(EconomicsForm, WithoutAQueryHasTheCountrysDefaultsAndTheRecommendedLayout) {
  for (const char* country : {"DE", "AT", "CH"}) {
    const EconomicsForm form = form_of({}, country);
    EXPECT_TRUE(form.faults.empty());
    EXPECT_THAT(form.assumptions.by_surface, ElementsAre(10, 0));
    ASSERT_TRUE(form.assumptions.tariff) << country;
    EXPECT_EQ(form.assumptions.tariff->country, country);
    EXPECT_FALSE(form.assumptions.tariff->source.empty());
    EXPECT_EQ(form.assumptions.price_rise_pct, 0);
    EXPECT_EQ(form.assumptions.years, 20);
  }
  EXPECT_FALSE(form_of({}, "FR").assumptions.tariff) << "no presets: an own figure";
}

TEST(EconomicsForm, TellsWhatIsWrongBesideTheFieldKeepsItAndComputesWithTheDefault) {
  for (const std::string& wrong :
       {std::string("nan"), std::string("inf"), std::string("1e308"), std::string("-1"), std::string("0x10"),
        std::string("<script>alert(1)</script>"), std::string(1'000'000, '9'), std::string("501")}) {
    const EconomicsForm form = form_of({{"preis_ct", wrong}});
    ASSERT_TRUE(form.faults.contains("preis_ct")) << wrong.substr(0, 30);
    EXPECT_THAT(form.faults.at("preis_ct"), HasSubstr("von 0 bis 500"));
    EXPECT_EQ(form.shown.at("preis_ct"), wrong.substr(0, 40));
    EXPECT_EQ(form.assumptions.price, 35);
  }
  for (const char* field :
       {"module", "flaeche_1", "speicher_kwh", "preisanstieg_pct", "verguetung_ct", "kosten_kwp",
        "kosten_gesamt", "speicherkosten", "betrieb", "alterung_pct", "zins_pct", "jahre", "speicherjahre"})
    EXPECT_TRUE(form_of({{field, "99999999"}}).faults.contains(field)) << field;
  EXPECT_TRUE(form_of({{"jahre", "20,5"}}).faults.contains("jahre"));
  EXPECT_TRUE(form_of({{"belegung", "x"}}).faults.contains("belegung"));
  EXPECT_TRUE(form_of({{"verguetung", "x"}}).faults.contains("verguetung"));
}

TEST(EconomicsForm, CutsWhatWasTypedBetweenCharacters) {
  std::string umlauts = "x";
  for (int i = 0; i < 40; ++i) umlauts += "ä";
  EXPECT_EQ(form_of({{"preis_ct", umlauts}}).shown.at("preis_ct").size(), 39U);
}

TEST(EconomicsForm, TakesTheFirstOfTwoAndSaysSo) {
  const EconomicsForm form = form_of({{"preis_ct", "20"}, {"preis_ct", "30"}});
  EXPECT_EQ(form.assumptions.price, 20);
  EXPECT_TRUE(form.faults.contains("preis_ct"));
}

TEST(EconomicsForm, FillsTheBestSurfacesFirst) {
  EXPECT_THAT(form_of({{"module", "13"}}).assumptions.by_surface, ElementsAre(10, 3));
  EXPECT_THAT(form_of({{"belegung", "module"}, {"module", "4"}}).assumptions.by_surface, ElementsAre(4, 0));
  EXPECT_THAT(form_of({{"flaeche_1", "2"}, {"flaeche_2", "12"}}).assumptions.by_surface, ElementsAre(2, 12));
  EXPECT_THAT(form_of({{"belegung", "empfohlen"}, {"module", "4"}}).assumptions.by_surface,
              ElementsAre(10, 0));
  EXPECT_TRUE(form_of({{"module", "23"}}).faults.contains("module")) << "22 fit";
  EXPECT_TRUE(form_of({{"flaeche_2", "13"}}).faults.contains("flaeche_2"));
}

TEST(EconomicsForm, ATotalCostTakesThePlaceOfTheCostForEachKilowatt) {
  const auto input = test::example_economics();
  EXPECT_EQ(form_of({{"kosten_gesamt", "6.000"}}).assumptions.plant_cost(input.analysis), 6000);
  EXPECT_EQ(form_of({{"kosten_kwp", "1.250"}}).assumptions.plant_cost(input.analysis), 5000);
}

TEST(EconomicsForm, WhatFollowsFromThePlantFollowsItThoughTheWholeFormIsSent) {
  const auto input = test::example_economics();
  const EconomicsForm first = form_of({});
  EXPECT_EQ(first.shown.at("betrieb"), "") << "its default is told beside it";
  EXPECT_EQ(first.assumptions.operation_per_year, 90);
  NameValues sent;
  for (const auto& [name, value] : first.shown) sent.emplace_back(name, value);
  sent.emplace_back("belegung", "module");
  for (auto& [name, value] : sent)
    if (name == "module") value = "20";
  EXPECT_EQ(form_of(sent).assumptions.operation_per_year, 180);
  EXPECT_EQ(form_of({{"betrieb", "50"}}).shown.at("betrieb"), "50");
}

TEST(EconomicsForm, ThousandsAreThousandsWhereTheyCouldBeMeant) {
  EXPECT_EQ(form_of({{"speicher_kwh", "1.000"}}).assumptions.storage_kwh, 1000);
  EXPECT_EQ(form_of({{"speicher_kwh", "7.5"}}).assumptions.storage_kwh, 7.5);
  EXPECT_EQ(form_of({{"speicher_kwh", "0.960"}}).assumptions.storage_kwh, 0.96);
  EXPECT_TRUE(form_of({{"speicherjahre", "1.000"}}).faults.contains("speicherjahre"));
  EXPECT_TRUE(form_of({{"module", "1.000"}}).faults.contains("module"));
}

TEST(Tariffs, HaveADateASourceAndAnIdOfTheirOwn) {
  std::map<std::string, int> ids;
  for (const char* country : {"DE", "AT", "CH"})
    for (const TariffPreset& preset : tariff_presets(country)) {
      EXPECT_EQ(++ids[preset.id], 1);
      EXPECT_FALSE(preset.source.empty());
      EXPECT_THAT(preset.period, HasSubstr("202"));
      EXPECT_GT(geo::feed_in_per_kwh(preset.tariff, 5), 0.03);
      EXPECT_LT(geo::feed_in_per_kwh(preset.tariff, 5), 0.15);
    }
  EXPECT_TRUE(tariff_presets("XX").empty());
}

TEST(Tariffs, OfGermanyAreThePublishedOnes) {
  const auto rates = [](const std::string& id) {
    std::vector<double> cents;
    for (const TariffPreset& preset : tariff_presets("DE"))
      if (preset.id == id)
        for (const geo::FeedInClass& one : preset.tariff.classes) cents.push_back(100 * one.per_kwh);
    return cents;
  };
  const auto are = [](const std::vector<double>& to_10_40_100_400_1000) {
    return testing::Pointwise(testing::DoubleNear(1e-9), to_10_40_100_400_1000);
  };
  // Published by the Bundesnetzagentur for plants from August 2025 and February 2026 on; above 100 kWp the
  // values to be applied, less 0.4 cents.
  EXPECT_THAT(rates("de_teil_2025_08"), are({7.86, 6.80, 5.56, 5.56, 5.56}));
  EXPECT_THAT(rates("de_voll_2025_08"), are({12.47, 10.45, 10.45, 8.63, 7.38}));
  EXPECT_THAT(rates("de_teil_2026_02"), are({7.78, 6.73, 5.50, 5.50, 5.50}));
  EXPECT_THAT(rates("de_voll_2026_02"), are({12.34, 10.35, 10.35, 8.54, 7.30}));
}

TEST(Tariffs, OfGermanyAreMarginal) {
  auto input = test::example_economics();
  input.analysis.module_power_w = 2000;  // 20 kWp
  const auto at = [&](const char* tariff) { return test::computed(input, {{"verguetung", tariff}}).feed_in; };
  EXPECT_NEAR(at("de_teil_2025_08"), (0.0786 + 0.0680) / 2, 1e-12);
  EXPECT_NEAR(at("de_voll_2025_08"), (0.1247 + 0.1045) / 2, 1e-12);
}

TEST(Tariffs, OfALargerPlantAreNeverHigherAndTheChoiceStays) {
  for (const char* country : {"DE", "AT", "CH"})
    for (const TariffPreset& preset : tariff_presets(country)) {
      // The Swiss minimum without self-use is higher from 30 kW on, by the law.
      double before = preset.id == "ch_voll_2026" ? 0.062 : 1;
      for (double kwp = 1; kwp < 2000; kwp *= 1.05) {
        const double rate = geo::feed_in_per_kwh(preset.tariff, kwp);
        EXPECT_LE(rate, before + 1e-12) << preset.id << " at " << kwp;
        EXPECT_GT(rate, 0) << preset.id << " at " << kwp;
        before = std::max(rate, preset.id == "ch_voll_2026" ? 0.062 : 0.0);
      }
    }
  auto input = test::example_economics();
  input.analysis.module_power_w = 20'000;  // 200 kWp
  const EconomicsForm form = read_economics_form(input, {{"verguetung", "de_voll_2026_08"}});
  EXPECT_TRUE(form.faults.empty());
  ASSERT_TRUE(form.assumptions.tariff);
  EXPECT_TRUE(form.assumptions.tariff->full_feed_in);
  EXPECT_THAT(remarks_on(*form.assumptions.tariff, 200, 20, std::chrono::year{2026} / 9 / 1),
              HasSubstr("Direktvermarktung"));
  EXPECT_THAT(remarks_on(*form.assumptions.tariff, 100, 20, std::chrono::year{2026} / 9 / 1),
              testing::Not(HasSubstr("Direktvermarktung")));
}

TEST(Tariffs, OfSwitzerlandPayTheWholePlantByItsPower) {
  const auto presets = tariff_presets("CH");
  const auto rappen = [&](std::size_t preset, double kwp) {
    return 100 * geo::feed_in_per_kwh(presets.at(preset).tariff, kwp);
  };
  for (const std::size_t preset : {0U, 1U}) {
    EXPECT_NEAR(rappen(preset, 29.9), 6, 1e-9);
  }
  EXPECT_NEAR(rappen(0, 60), 3, 1e-9);
  EXPECT_NEAR(rappen(1, 30), 6.2, 1e-9);
  EXPECT_NEAR(rappen(1, 149), 6.2, 1e-9);
  EXPECT_NEAR(rappen(0, 180), 1, 1e-9) << "as for smaller ones, and said so";
  EXPECT_THAT(remarks_on(presets[0], 150, 20, std::chrono::year{2026} / 9 / 1),
              HasSubstr("keine Mindestvergütung"));
}

TEST(Tariffs, BeginWithTheOneOfTheDay) {
  auto input = test::example_economics();
  const auto id_on = [&](std::chrono::year_month_day day) {
    input.today = day;
    return read_economics_form(input, {}).shown.at("verguetung");
  };
  EXPECT_EQ(id_on(std::chrono::year{2026} / 7 / 31), "de_teil_2026_02");
  EXPECT_EQ(id_on(std::chrono::year{2026} / 8 / 1), "de_teil_2026_08");
  EXPECT_EQ(id_on(std::chrono::year{2031} / 1 / 1), "de_teil_2026_08") << "no later one is known";
}

}  // namespace
