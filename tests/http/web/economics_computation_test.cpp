// The whole way from a stored analysis to shares and money, held to figures that others computed.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <iostream>

#include "geo/solar/yield.hpp"
#include "tests/http/web/economics_example.hpp"

namespace {

using namespace http;
using test::computed;
using test::example_economics;

const NameValues kWorked{
    {"kosten_gesamt", "6.000"}, {"betrieb", "90"},         {"alterung_pct", "0,5"}, {"preis_ct", "35"},
    {"verguetung", "eigene"},   {"verguetung_ct", "7,86"}, {"jahre", "20"},         {"zins_pct", "3"}};

/// What the note's example takes as known: 4096 kWh and the share that is used.
Outcome worked(double share, const std::string& price_rise = "0") {
  NameValues query = kWorked;
  query.emplace_back("preisanstieg_pct", price_rise);
  const EconomicsInput input = example_economics();
  const EconomicsForm form = read_economics_form(input, query);
  EXPECT_TRUE(form.faults.empty());
  const geo::EnergyBalance energy{.generation = 4096, .direct = share * 4096, .fed_in = (1 - share) * 4096};
  return outcome(energy, form.assumptions, form.assumptions.plant_cost(input.analysis),
                 form.assumptions.own_feed_in / 100);
}

void expect_money(const Outcome& o, double first, double payback, double value, double rate_pct) {
  EXPECT_NEAR(o.money.years.at(0).net, first, 0.05);
  EXPECT_NEAR(o.money.payback_years.value(), payback, 0.005);
  EXPECT_NEAR(o.money.net_present_value, value, 0.5);
  EXPECT_NEAR(100 * o.money.internal_rate.value(), rate_pct, 0.005);
}

TEST(EconomicsComputation, OfTheWorkedExampleIsToTheCentWhatTheNoteSays) {
  expect_money(worked(0.384), 658.8, 9.33, 3340, 8.49);
  expect_money(worked(0.301), 566.6, 10.90, 2024, 6.46);
  expect_money(worked(0.384, "2"), 658.8, 8.72, 4813, 10.10);
  expect_money(worked(0.384, "5"), 658.8, 8.00, 7766, 12.60);
  EXPECT_NEAR(100 * worked(0.384).money.levelised_per_kwh.value(), 12.56, 0.005);
  // By hand: 4096 kWh * (0.384 * 35 ct + 0.616 * 7.86 ct) - 90 EUR.
  EXPECT_NEAR(worked(0.384).money.years.at(0).net, 658.82, 0.005);
}

TEST(EconomicsComputation, GivesPotsdamsSharesForManyAndForOneHousehold) {
  const struct {
    const char* storage;
    double many, many_autarky, one;
  } table[] = {
      {"0", 38.4, 39.3, 30.1}, {"2", 51.8, 50.8, 49.6}, {"4", 62.5, 60.0, 60.9}, {"8", 69.3, 65.9, 69.1}};
  for (const auto& row : table) {
    const Economics e = computed(example_economics(), {{"speicher_kwh", row.storage}});
    EXPECT_NEAR(e.profile.energy.generation, 4096, 1e-6);
    EXPECT_NEAR(100 * e.profile.energy.self_consumption(), row.many, 2) << row.storage;
    EXPECT_NEAR(100 * e.profile.energy.self_sufficiency(), row.many_autarky, 2) << row.storage;
    ASSERT_TRUE(e.household);
    // The factors are 0.78, 0.97 and 1; between them they are a straight line, the households' are not.
    EXPECT_NEAR(100 * e.household->energy.self_consumption(), row.one,
                std::string(row.storage) == "2" ? 5 : 2)
        << row.storage;
  }
}

void expect_no_energy_lost(const geo::EnergyBalance& b) {
  EXPECT_NEAR(b.generation, b.direct + b.charged + b.fed_in, 1e-9 * std::max(1.0, b.generation));
  EXPECT_NEAR(b.consumption, b.direct + b.discharged + b.drawn, 1e-9 * std::max(1.0, b.consumption));
  for (const double part : {b.direct, b.charged, b.discharged, b.fed_in, b.drawn}) EXPECT_GE(part, -1e-9);
}

TEST(EconomicsComputation, LosesNoEnergyAndMoreStorageNeverLowersSelfSufficiency) {
  for (const char* modules : {"0", "1", "10", "22"}) {
    double before = -1, household_before = -1;
    for (const char* storage : {"0", "1", "2", "3,9", "4", "4,1", "8", "12", "100"}) {
      const Economics e = computed(example_economics(), {{"module", modules}, {"speicher_kwh", storage}});
      for (const Outcome* o : {&e.profile, &e.main(), &e.low, &e.high}) expect_no_energy_lost(o->energy);
      for (const geo::EnergyBalance& month : e.profile_year.months) expect_no_energy_lost(month);
      EXPECT_GE(e.profile.energy.self_sufficiency(), before) << modules << ' ' << storage;
      EXPECT_GE(e.main().energy.self_sufficiency(), household_before) << modules << ' ' << storage;
      before = e.profile.energy.self_sufficiency();
      household_before = e.main().energy.self_sufficiency();
    }
  }
}

TEST(EconomicsComputation, OfOtherProfilesHasNoHousehold) {
  EconomicsInput input = example_economics();
  input.load_profile = "G1";
  const Economics e = computed(input);
  EXPECT_FALSE(e.household);
  EXPECT_NEAR(100 * e.main().energy.self_consumption(), 49.9, 2);
}

TEST(EconomicsComputation, WithFullFeedInSellsEverything) {
  const Economics e =
      computed(example_economics(), {{"verguetung", "de_voll_2025_08"}, {"speicher_kwh", "5"}});
  EXPECT_FALSE(e.household);
  EXPECT_EQ(e.main().energy.self_consumption(), 0);
  EXPECT_NEAR(e.main().money.years.at(0).fed_in, 4096 * 0.1247, 1e-6);
  EXPECT_EQ(e.main().money.years.at(0).saved, 0);
  for (const geo::EnergyBalance& month : e.profile_year.months) {
    EXPECT_EQ(month.direct + month.charged + month.discharged, 0);
    EXPECT_EQ(month.fed_in, month.generation);
    EXPECT_EQ(month.drawn, month.consumption);
  }
  for (const geo::SeasonDay& day : e.profile_year.seasons)
    EXPECT_EQ(*std::max_element(day.direct.begin(), day.direct.end()), 0);
}

TEST(EconomicsComputation, PaysNothingForWhatTheStorageLoses) {
  const Economics e = computed(example_economics(), {{"speicher_kwh", "6"}, {"verguetung_ct", "10"}});
  const geo::EnergyBalance& b = e.main().energy;
  EXPECT_NEAR(e.main().money.years.at(0).fed_in, b.fed_in * 0.1, 1e-6);
  EXPECT_NEAR(e.main().money.years.at(0).saved, (b.direct + b.discharged) * 0.35, 1e-6);
}

TEST(EconomicsComputation, OfNoModulesAndNoConsumptionIsZeroAndFinite) {
  const Economics nothing = computed(example_economics(), {{"module", "0"}});
  EXPECT_EQ(nothing.main().energy.generation, 0);
  EXPECT_FALSE(nothing.main().money.levelised_per_kwh);
  EconomicsInput empty = example_economics();
  empty.consumption_kwh = 0;
  const Economics sold = computed(empty);
  EXPECT_EQ(sold.main().energy.self_sufficiency(), 0);
  EXPECT_NEAR(sold.main().energy.fed_in, 4096, 1e-6);
  for (const Economics* e : {&nothing, &sold})
    for (const Outcome* o : {&e->main(), &e->low, &e->high})
      EXPECT_TRUE(std::isfinite(o->money.net_present_value));
}

TEST(EconomicsComputation, OfAPlaceWithoutClimateFails) {
  EconomicsInput far = example_economics();
  far.place = {-60, -10};
  EXPECT_FALSE(compute_economics(far, read_economics_form(far, {}).assumptions));
}

TEST(EconomicsComputation, ItsBandLiesAboutTheResult) {
  const Economics e = computed(example_economics());
  EXPECT_LT(e.low.money.net_present_value, e.main().money.net_present_value);
  EXPECT_GT(e.high.money.net_present_value, e.main().money.net_present_value);
  EXPECT_EQ(e.yield_error_pct, kClimateErrorPct) << "the example's surfaces state no error";
  EconomicsInput rough = example_economics();
  rough.analysis.surfaces[0].fit.tilt_error_deg = 10;
  EXPECT_NEAR(computed(rough).yield_error_pct, std::hypot(5, 9), 1e-9);
}

TEST(EconomicsComputation, AYieldMovesByNoMoreThanIsSaidForADegree) {
  const geo::RunControl run;
  for (const auto& [place, altitude] :
       {std::pair{geo::LonLat{13.067, 52.383}, 81.0}, std::pair{geo::LonLat{16.3, 48.2}, 200.0}}) {
    const auto year = geo::solar_year(*geo::climate_at(place, altitude), run);
    const auto yield = [&](double tilt, double azimuth) {
      return geo::surface_yield(year, {.tilt_deg = tilt, .azimuth_deg = azimuth}, {}, run).kwh_per_kwp;
    };
    for (const double tilt : {5.0, 25.0, 50.0})
      for (const double azimuth : {0.0, 45.0, 90.0, 135.0, 180.0}) {
        const auto& said = azimuth <= 90 ? kTowardsSun : kAwayFromSun;
        const double base = yield(tilt, azimuth) / 100;
        EXPECT_LE(std::abs(yield(tilt + 1, azimuth) / base - 100), said.tilt) << tilt << ' ' << azimuth;
        EXPECT_LE(std::abs(yield(tilt, azimuth - 1) / base - 100), said.azimuth) << tilt << ' ' << azimuth;
      }
  }
}

// The target of 20 ms holds for a release build on a free core; here it is printed, and bound such that only
// a mistake of method can fail it.
TEST(EconomicsComputation, OfARequestTakesMilliseconds) {
  const EconomicsInput input = example_economics();
  const auto begin = std::clock();
  constexpr int kTimes = 10;
  for (int i = 0; i < kTimes; ++i) economics_page(input, {{"module", "22"}, {"speicher_kwh", "5"}}, "/x");
  const double ms = 1000.0 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / kTimes;
  std::cout << "economics page: " << ms << " ms\n";
  EXPECT_LT(ms, 400);
}

TEST(EconomicsComputation, EndsTheGermanFeedInTariffAfterTwentyYears) {
  const Economics e = test::computed(test::example_economics(), {{"jahre", "30"}});
  const auto& years = e.main().money.years;
  EXPECT_GT(years.at(19).fed_in, 0);
  EXPECT_EQ(years.at(20).fed_in, 0);
  EXPECT_GT(years.at(20).saved, 0);
  const Economics own = test::computed(test::example_economics(),
                                       {{"jahre", "30"}, {"verguetung", "eigene"}, {"verguetung_ct", "7"}});
  EXPECT_GT(own.main().money.years.at(29).fed_in, 0);
}

}  // namespace
