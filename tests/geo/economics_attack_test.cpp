// The economics under inputs that are meant to break them, held to figures computed elsewhere: a Python
// script with the profiles' published sheets, Gauss's rule for Easter, the zone database's offsets and the
// present value's sign changes on a fine grid.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "geo/economics/cash_flow.hpp"
#include "geo/economics/energy_balance.hpp"

namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

// ---- legal time

/// One kWh in the quarter of an hour that begins at 11:00 UTC, every day, under every sky.
geo::TypicalGeneration one_kwh_at_eleven_utc() {
  geo::TypicalGeneration generation;
  for (geo::TypicalMonth& month : generation) {
    month.probability.fill(1.0 / geo::kSkyStates);
    month.days.resize(1);
    month.days.front().kwh[44].fill(1);
    month.kwh = 30;
  }
  return generation;
}

/// The hour of the day at which a load on that day alone finds that kWh: each quarter asks for another
/// amount.
double hour_that_meets_it(const std::vector<geo::Day>& days, std::size_t day) {
  std::vector<geo::DayLoad> load(days.size());
  for (std::size_t quarter = 0; quarter < geo::kQuarters; ++quarter)
    load[day][quarter] = 1e-3 * static_cast<double>(quarter + 1);
  const double direct = geo::balance_of_year(one_kwh_at_eleven_utc(), days, load, {}).year.direct;
  return (direct / 1e-3 - 1) / 4;
}

TEST(EconomicsAttack, TheSunMovesAnHourAgainstTheLoadOnTheDaysOnWhichTheClocksAreChanged) {
  const auto days = geo::days_of_year(2025, "DE");
  EXPECT_NEAR(hour_that_meets_it(days, 31 + 28 + 29 - 1), 12, 1e-6) << "29 March";
  EXPECT_NEAR(hour_that_meets_it(days, 31 + 28 + 30 - 1), 13, 1e-6) << "30 March";
  EXPECT_NEAR(hour_that_meets_it(days, 304 - 7), 13, 1e-6) << "25 October";
  EXPECT_NEAR(hour_that_meets_it(days, 304 - 6), 12, 1e-6) << "26 October";
}

// ---- load

TEST(EconomicsAttack, SingleQuartersAreThoseOfThePublishedSheets) {
  const auto days = geo::days_of_year(2025, "DE");
  // 1 January, a holiday: H0, winter, Sunday, 87.5 W at midnight, made dynamic by 1.24203 and brought from
  // 998.8 to 1000 kWh.
  const auto household = geo::load_of_year(geo::LoadProfile::H0, 1000, days);
  EXPECT_NEAR(household[0][0] * 4000, 87.5 * 1.242030119608 * 1000 / 998.8, 0.01);
  // The two eves of 2025 were Wednesdays, 25 December is a holiday.
  const auto trade = geo::load_of_year(geo::LoadProfile::G1, 1000, days);
  const auto saturday = trade[3], sunday = trade[4], workday = trade[6];  // 4, 5 and 7 January
  EXPECT_EQ(trade[357], saturday);
  EXPECT_EQ(trade[364], saturday);
  EXPECT_EQ(trade[358], sunday);
  EXPECT_EQ(trade[356], workday);
  EXPECT_NE(saturday, workday);
  EXPECT_NE(saturday, sunday);
}

// ---- storage

TEST(EconomicsAttack, AStorageWithoutAPossibleSizeTakesNothing) {
  for (const double kwh : {0.0, -1e-9, -4.0, kNotANumber}) {
    geo::Storage storage({.usable_kwh = kwh});
    EXPECT_EQ(storage.charge(1), 0) << kwh;
    EXPECT_EQ(storage.discharge(1), 0) << kwh;
    EXPECT_EQ(storage.content_kwh(), 0) << kwh;
  }
}

TEST(EconomicsAttack, AStorageGivesBackItsEfficienciesProductHoweverLargeItIs) {
  for (const double kwh : {1e-300, 1e-3, 1.0, 1e9, 1e300, std::numeric_limits<double>::infinity()}) {
    geo::Storage storage({.usable_kwh = kwh});
    const double taken = storage.charge(0.5);
    EXPECT_NEAR(storage.discharge(1) / taken, 0.94 * 0.95 * 0.94, 1e-12) << kwh;
  }
}

TEST(EconomicsAttack, NoRoundingMakesAStorageGiveOrTakeLessThanNothing) {
  constexpr double kUsable_kwh = 3.3;
  geo::Storage storage({.usable_kwh = kUsable_kwh});
  std::mt19937 random(1);
  double least = 0, most = 0;
  for (int i = 0; i < 200000; ++i) {
    const double kwh = static_cast<double>(random() % 10007) / 10007;
    least = std::min(least, random() % 2 == 0 ? storage.charge(kwh) : storage.discharge(kwh));
    least = std::min(least, storage.content_kwh());
    most = std::max(most, storage.content_kwh());
  }
  EXPECT_GE(least, 0);
  EXPECT_LE(most, kUsable_kwh);
}

// ---- money

const geo::Investment kPlant{.cost = 6000,
                             .operation_per_year = 90,
                             .generation_kwh = 4096,
                             .self_consumption = 0.384,
                             .price_per_kwh = 0.35,
                             .feed_in_per_kwh = 0.0786,
                             .degradation = 0.005,
                             .discount_rate = 0.03,
                             .years = 20};

TEST(EconomicsAttack, APlantThatPaysAndLosesMoneyInItsLastYearsHasAnInternalRate) {
  geo::Investment plant = kPlant;
  plant.cost = 2000;
  plant.price_rise = -0.1;
  plant.feed_in_per_kwh = 0;
  const geo::CashFlow flow = geo::cash_flow(plant);
  ASSERT_LT(flow.years.back().net, 0);
  EXPECT_NEAR(flow.payback_years.value(), 5.95023, 1e-5);
  ASSERT_TRUE(flow.internal_rate);
  EXPECT_NEAR(*flow.internal_rate, 0.0838052, 1e-6) << "the other root is -0.314";
  plant.cost = 6000;
  ASSERT_TRUE(geo::cash_flow(plant).internal_rate);
  EXPECT_NEAR(*geo::cash_flow(plant).internal_rate, -0.1218147, 1e-6) << "the other root is -0.308";
}

TEST(EconomicsAttack, OfSeveralInternalRatesTheOneNextToZeroOnThePlantsSideCounts) {
  geo::Investment plant{.cost = 2760.812,
                        .operation_per_year = 45.902,
                        .generation_kwh = 5695.439,
                        .self_consumption = 0.838,
                        .storage_loss = 0.05,
                        .price_per_kwh = 0.35,
                        .feed_in_per_kwh = 0.05,
                        .price_rise = -0.02,
                        .years = 20,
                        .replacement_cost = 20000,
                        .replaced_after = 19};
  // Also -0.940 and -0.027.
  EXPECT_NEAR(geo::cash_flow(plant).internal_rate.value(), 0.579036, 1e-5);
  plant = {.cost = 751.203,
           .operation_per_year = 144.326,
           .generation_kwh = 1531.193,
           .self_consumption = 0.76,
           .storage_loss = 0.05,
           .price_per_kwh = 4.65,
           .price_rise = -0.02,
           .degradation = 0.005,
           .years = 3,
           .replacement_cost = 14604,
           .replaced_after = 2};
  EXPECT_NEAR(geo::cash_flow(plant).internal_rate.value(), 0.0418671, 1e-6) << "also 0.398 and 3.572";
}

TEST(EconomicsAttack, AReplacementShortlyBeforeTheEndMakesNoInternalRateOfItsOwn) {
  geo::Investment plant = kPlant;
  plant.cost = 13'000;
  plant.replacement_cost = 3'000;
  plant.replaced_after = 15;
  for (plant.years = 14; plant.years <= 20; ++plant.years)
    if (const auto rate = geo::cash_flow(plant).internal_rate) EXPECT_GT(*rate, -0.15) << plant.years;
}

TEST(EconomicsAttack, TheInternalRateIsAtTheEdgesWhatOneYearTells) {
  geo::Investment plant = kPlant;
  plant.years = 1;
  const double net = geo::cash_flow(plant).years.front().net;
  for (const double cost : {net / 10, net / 2, net, net * 1.4}) {
    plant.cost = cost;
    ASSERT_TRUE(geo::cash_flow(plant).internal_rate) << cost;
    EXPECT_NEAR(*geo::cash_flow(plant).internal_rate, net / cost - 1, 1e-9) << cost;
  }
  plant.cost = net * 1.5;
  EXPECT_FALSE(geo::cash_flow(plant).internal_rate) << "-33 % a year is none";
  plant.degradation = 1;
  plant.years = 20;
  EXPECT_EQ(geo::cash_flow(plant).years[1].generation_kwh, 0);
}

TEST(EconomicsAttack, WhatIsNotANumberNeverPays) {
  for (double geo::Investment::*const figure :
       {&geo::Investment::cost, &geo::Investment::generation_kwh, &geo::Investment::price_per_kwh,
        &geo::Investment::price_rise}) {
    geo::Investment plant = kPlant;
    plant.*figure = kNotANumber;
    EXPECT_FALSE(geo::cash_flow(plant).payback_years);
    EXPECT_FALSE(geo::cash_flow(plant).internal_rate);
  }
}

}  // namespace
