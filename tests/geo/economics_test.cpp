// Self-consumption, storage and money, held to figures that others computed: web-application.md, section 1
// (Potsdam's test reference year, TRY 2010 region 4 of the DWD, in real hours; calendar of 2017, without
// summer time; south, 35 degrees, 1024 kWh/kWp).
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "geo/economics/cash_flow.hpp"
#include "geo/economics/day_skies.hpp"
#include "geo/economics/energy_balance.hpp"
#include "geo/economics/feed_in.hpp"
#include "geo/economics/household.hpp"
#include "tests/geo/simple_shapes.hpp"

namespace {

using geo::LoadProfile;
using test::kRun;

std::vector<geo::Day> without_summer_time(std::vector<geo::Day> year) {
  for (geo::Day& day : year) day.summer_time = false;
  return year;
}

const std::vector<geo::Day>& reference_days() {
  static const auto days = without_summer_time(geo::days_of_year(2017, "DE"));
  return days;
}

geo::TypicalGeneration potsdam(double kwp) {
  static const auto one_kwp = geo::typical_generation(
      *geo::climate_at({13.067, 52.383}, 81), {{{.tilt_deg = 35, .azimuth_deg = 0}, 1, 1024}}, {}, kRun);
  geo::TypicalGeneration scaled = one_kwp;
  for (geo::TypicalMonth& month : scaled) {
    month.kwh *= kwp;
    for (geo::TypicalDay& day : month.days)
      for (geo::SkyStateValues& quarter : day.kwh)
        for (double& kwh : quarter) kwh *= kwp;
  }
  return scaled;
}

geo::EnergyBalance balance(double kwp, double storage_kwh, LoadProfile profile = LoadProfile::H0,
                           double consumption_kwh = 4000) {
  const auto load = geo::load_of_year(profile, consumption_kwh, reference_days());
  return geo::balance_of_year(potsdam(kwp), reference_days(), load, {.usable_kwh = storage_kwh}).year;
}

// ---- the calendar

int count(const std::vector<geo::Day>& days, geo::DayType type) {
  return static_cast<int>(
      std::count_if(days.begin(), days.end(), [&](const geo::Day& d) { return d.type == type; }));
}

TEST(Calendar, KnowsHolidaysSeasonsAndSummerTime) {
  const auto days = geo::days_of_year(2017, "DE");
  ASSERT_EQ(days.size(), 365U);
  const auto day = [&](int month, int of_month) {
    return *std::find_if(days.begin(), days.end(), [&](const geo::Day& d) {
      return d.month == month - 1 && d.of_month == of_month - 1;
    });
  };
  EXPECT_EQ(day(4, 14).type, geo::DayType::sunday) << "Karfreitag";
  EXPECT_EQ(day(4, 17).type, geo::DayType::sunday) << "Ostermontag";
  EXPECT_EQ(day(5, 25).type, geo::DayType::sunday) << "Christi Himmelfahrt";
  EXPECT_EQ(day(6, 5).type, geo::DayType::sunday) << "Pfingstmontag";
  EXPECT_EQ(day(6, 15).type, geo::DayType::workday) << "Fronleichnam is none in all of Germany";
  EXPECT_EQ(day(10, 3).type, geo::DayType::sunday);
  EXPECT_EQ(day(12, 24).type, geo::DayType::sunday) << "it was a Sunday";
  EXPECT_EQ(day(12, 31).type, geo::DayType::sunday);
  EXPECT_EQ(day(3, 20).season, geo::Season::winter);
  EXPECT_EQ(day(3, 21).season, geo::Season::transition);
  EXPECT_EQ(day(5, 15).season, geo::Season::summer);
  EXPECT_EQ(day(9, 14).season, geo::Season::summer);
  EXPECT_EQ(day(9, 15).season, geo::Season::transition);
  EXPECT_EQ(day(11, 1).season, geo::Season::winter);
  EXPECT_FALSE(day(3, 25).summer_time);
  EXPECT_TRUE(day(3, 26).summer_time);
  EXPECT_TRUE(day(10, 28).summer_time);
  EXPECT_FALSE(day(10, 29).summer_time);
  const auto austria = geo::days_of_year(2019, "AT");
  EXPECT_EQ(austria[170].type, geo::DayType::sunday) << "Fronleichnam, 20 June 2019";
  EXPECT_EQ(count(geo::days_of_year(2019, "CH"), geo::DayType::sunday), 52 + 8 - 0);
  EXPECT_EQ(geo::days_of_year(2024, "DE").size(), 366U);
}

TEST(Calendar, KnowsEaster) {
  const std::vector<std::array<int, 3>> known{{1961, 4, 2},  {2000, 4, 23}, {2008, 3, 23}, {2011, 4, 24},
                                              {2024, 3, 31}, {2025, 4, 20}, {2026, 4, 5},  {2038, 4, 25}};
  for (const auto& [year, month, day] : known) {
    const auto days = geo::days_of_year(year, "DE");
    const auto easter = std::find_if(days.begin(), days.end(), [m = month, d = day](const geo::Day& one) {
      return one.month == m - 1 && one.of_month == d - 1;
    });
    EXPECT_EQ((easter - 2)->type, geo::DayType::sunday) << year << ": Karfreitag";
    EXPECT_EQ((easter + 1)->type, geo::DayType::sunday) << year << ": Ostermontag";
    if (year != 2008) {  // 1 May and Ascension fell together
      EXPECT_EQ((easter + 38)->type, geo::DayType::workday) << year;
    }
    EXPECT_EQ((easter + 39)->type, geo::DayType::sunday) << year << ": Christi Himmelfahrt";
  }
}

// ---- the load profiles

TEST(LoadProfiles, AreElevenAndUseTheYearsConsumption) {
  for (const char* code : {"H0", "G0", "G1", "G2", "G3", "G4", "G5", "G6", "L0", "L1", "L2"}) {
    const auto profile = geo::load_profile(code);
    ASSERT_TRUE(profile) << code;
    double sum = 0;
    for (const geo::DayLoad& day : geo::load_of_year(*profile, 3500, geo::days_of_year(2024, "AT")))
      sum = std::accumulate(day.begin(), day.end(), sum);
    EXPECT_NEAR(sum, 3500, 1e-6) << code;
  }
  for (const char* code : {"", "H1", "h0", "H0 "}) EXPECT_FALSE(geo::load_profile(code)) << code;
}

TEST(LoadProfiles, ComeToAThousandKilowattHoursAYearByThemselves) {
  const auto sum = [](LoadProfile profile) {
    double watts = 0;
    for (const geo::Day& day : reference_days())
      for (const auto tenths : geo::kLoadProfileTable[static_cast<std::size_t>(
               profile)][static_cast<std::size_t>(day.season)][static_cast<std::size_t>(day.type)])
        watts += tenths / 10.0;
    return watts / 4 / 1000;
  };
  for (std::size_t p = 1; p < geo::kLoadProfiles; ++p) {
    EXPECT_GT(sum(static_cast<LoadProfile>(p)), 995) << p;
    EXPECT_LT(sum(static_cast<LoadProfile>(p)), 1017) << p;
  }
}

// ---- generation and skies

TEST(TypicalGeneration, IsTheSurfacesYieldInEveryMonth) {
  const auto climate = *geo::climate_at({13.067, 52.383}, 81);
  const geo::SurfaceInput surface{.tilt_deg = 35, .azimuth_deg = -30};
  const auto generation = geo::typical_generation(climate, {{surface, 2, {}}}, {}, kRun);
  const auto yield = geo::surface_yield(geo::solar_year(climate, kRun), surface, {}, kRun);
  for (std::size_t month = 0; month < 12; ++month) {
    EXPECT_NEAR(generation[month].kwh / (2 * yield.monthly_kwh_per_kwp[month]), 1, 0.005) << month;
    const auto& sky = generation[month].probability;
    EXPECT_NEAR(std::accumulate(sky.begin(), sky.end(), 0.0), 1, 1e-9);
  }
}

TEST(TypicalGeneration, IsScaledToAYieldThatIsKnown) {
  double sum = 0;
  for (const geo::TypicalMonth& month : potsdam(4)) sum += month.kwh;
  EXPECT_NEAR(sum, 4096, 1e-6);
}

TEST(DaySkies, TogetherHaveTheMonthsMix) {
  std::mt19937 random(7);
  std::array<geo::SkyStateValues, 12> months{};
  for (auto& month : months) {
    for (double& p : month) p = static_cast<double>(random() % 1000);
    const double sum = std::accumulate(month.begin(), month.end(), 0.0);
    for (double& p : month) p /= sum;
  }
  const auto days = geo::days_of_year(2022, "DE");
  const auto skies = geo::day_skies(days, months);
  std::array<geo::SkyStateValues, 12> means{};
  for (std::size_t i = 0; i < days.size(); ++i) {
    for (const geo::SkyStateValues& hour : skies[i]) {
      EXPECT_NEAR(std::accumulate(hour.begin(), hour.end(), 0.0), 1, 1e-9);
      for (std::size_t j = 0; j < geo::kSkyStates; ++j) {
        EXPECT_GE(hour[j], 0);
        means[days[i].month][j] += hour[j] / geo::kHourSkies / days[i].days_in_month;
      }
    }
  }
  for (std::size_t month = 0; month < 12; ++month)
    for (std::size_t j = 0; j < geo::kSkyStates; ++j) EXPECT_NEAR(means[month][j], months[month][j], 0.002);
}

// ---- where the electricity goes

struct Expected {
  double kwp, storage_kwh, self_consumption_pct, self_sufficiency_pct;
};

TEST(EnergyBalance, IsThatOfRealHoursForAHousehold) {
  const std::vector<Expected> table{{4, 0, 38.4, 39.3}, {4, 2, 51.8, 50.8},  {4, 4, 62.5, 60.0},
                                    {4, 8, 69.3, 65.9}, {2, 0, 63.1, 32.3},  {2, 2, 82.8, 40.8},
                                    {6, 0, 28.0, 43.0}, {6, 6, 49.5, 70.7},  {8, 0, 22.2, 45.5},
                                    {8, 8, 40.5, 77.0}, {10, 0, 18.4, 47.1}, {10, 10, 34.4, 81.5}};
  for (const Expected& e : table) {
    const geo::EnergyBalance b = balance(e.kwp, e.storage_kwh);
    EXPECT_NEAR(100 * b.self_consumption(), e.self_consumption_pct, 1.5) << e.kwp << ' ' << e.storage_kwh;
    EXPECT_NEAR(100 * b.self_sufficiency(), e.self_sufficiency_pct, 1.5) << e.kwp << ' ' << e.storage_kwh;
  }
}

TEST(EnergyBalance, IsThatOfRealHoursForEveryProfile) {
  using enum LoadProfile;
  const std::vector<std::tuple<LoadProfile, double, double>> table{
      {G0, 44.3, 67.1}, {G1, 49.9, 62.8}, {G2, 36.5, 61.1}, {G3, 38.7, 63.5}, {G4, 43.0, 66.4},
      {G5, 39.9, 63.5}, {G6, 38.0, 62.4}, {L0, 38.9, 63.5}, {L1, 37.3, 62.6}, {L2, 39.4, 63.9}};
  for (const auto& [profile, without, with_4_kwh] : table) {
    EXPECT_NEAR(100 * balance(4, 0, profile).self_consumption(), without, 1.5) << static_cast<int>(profile);
    EXPECT_NEAR(100 * balance(4, 4, profile).self_consumption(), with_4_kwh, 1.5)
        << static_cast<int>(profile);
  }
}

TEST(EnergyBalance, LosesNoEnergyAndMoreStorageNeverLowersSelfSufficiency) {
  for (const double kwp : {0.0, 0.5, 4.0, 30.0}) {
    double before = -1;
    for (const double storage_kwh : {0.0, 0.1, 1.0, 2.0, 5.0, 10.0, 50.0, 1000.0}) {
      const geo::EnergyBalance b = balance(kwp, storage_kwh);
      EXPECT_NEAR(b.generation, b.direct + b.charged + b.fed_in, 1e-9 * std::max(1.0, b.generation));
      EXPECT_NEAR(b.consumption, b.direct + b.discharged + b.drawn, 1e-9 * b.consumption);
      EXPECT_NEAR(b.generation, 1024 * kwp, 1e-6);
      EXPECT_NEAR(b.consumption, 4000, 1e-6);
      EXPECT_LE(b.discharged, b.charged);
      for (const double share : {b.self_consumption(), b.self_sufficiency()}) {
        EXPECT_GE(share, 0);
        EXPECT_LE(share, 1 + 1e-12);
      }
      EXPECT_GE(b.self_sufficiency(), before);
      before = b.self_sufficiency();
    }
  }
}

TEST(EnergyBalance, WithoutStorageIsTheExpectationOverTheMonthsSkiesWhateverTheirOrder) {
  const auto generation = potsdam(4);
  const auto& days = reference_days();
  const auto load = geo::load_of_year(LoadProfile::H0, 4000, days);
  std::array<geo::SkyStateValues, 12> mixes;
  for (std::size_t month = 0; month < 12; ++month) mixes[month] = generation[month].probability;
  const auto skies = geo::day_skies(days, mixes);
  double direct = 0;
  for (std::size_t i = 0; i < days.size(); ++i) {
    const geo::TypicalMonth& month = generation[days[i].month];
    const auto& typical =
        month.days[static_cast<std::size_t>(days[i].of_month) * month.days.size() / days[i].days_in_month];
    for (std::size_t other = i - days[i].of_month; other < i - days[i].of_month + days[i].days_in_month;
         ++other)
      for (const geo::SkyStateValues& hour : skies[other])
        for (std::size_t q = 0; q < geo::kQuarters; ++q) {
          const geo::SkyStateValues& kwh = typical.kwh[(q + geo::kQuarters - 4) % geo::kQuarters];
          const double generated = std::inner_product(hour.begin(), hour.end(), kwh.begin(), 0.0);
          direct += std::min(generated, load[i][q]) / geo::kHourSkies / days[i].days_in_month;
        }
  }
  EXPECT_NEAR(100 * balance(4, 0).direct / 4096, 100 * direct / 4096, 0.2);
}

// Another climate, to which nothing was fitted: PVGIS' typical year of Dresden, in the same note. With a
// storage as large as a day's consumption the two differ; why was not examined.
TEST(EnergyBalance, IsThatOfRealHoursAtDresdenWithoutStorageAndLowerWithALargeOne) {
  const auto dresden = geo::typical_generation(*geo::climate_at({13.74, 51.05}, 120),
                                               {{{.tilt_deg = 35, .azimuth_deg = 0}, 4, 1024}}, {}, kRun);
  const auto load = geo::load_of_year(LoadProfile::H0, 4000, reference_days());
  const auto self_consumption = [&](double storage_kwh) {
    const auto b = geo::balance_of_year(dresden, reference_days(), load, {.usable_kwh = storage_kwh});
    return 100 * b.year.self_consumption();
  };
  EXPECT_NEAR(self_consumption(0), 40.0, 1.5);
  EXPECT_NEAR(self_consumption(2), 54.9, 1.6);
  EXPECT_NEAR(self_consumption(4), 66.8, 3);
  EXPECT_NEAR(self_consumption(8), 75.5, 5);
}

TEST(EnergyBalance, OfMonthsAndSeasonsIsThatOfTheYear) {
  const auto load = geo::load_of_year(LoadProfile::G1, 9000, reference_days());
  const auto all = geo::balance_of_year(potsdam(6), reference_days(), load, {.usable_kwh = 5});
  const std::array<double, geo::kSeasonsOfSun> days{31 + 31 + 28, 31 + 30 + 31, 30 + 31 + 31, 30 + 31 + 30};
  double generation = 0, consumption = 0, direct = 0;
  for (std::size_t s = 0; s < geo::kSeasonsOfSun; ++s) {
    generation +=
        days[s] * std::accumulate(all.seasons[s].generation.begin(), all.seasons[s].generation.end(), 0.0);
    consumption +=
        days[s] * std::accumulate(all.seasons[s].consumption.begin(), all.seasons[s].consumption.end(), 0.0);
    direct += days[s] * std::accumulate(all.seasons[s].direct.begin(), all.seasons[s].direct.end(), 0.0);
  }
  EXPECT_NEAR(generation, all.year.generation, 1e-6);
  EXPECT_NEAR(consumption, 9000, 1e-6);
  EXPECT_NEAR(direct, all.year.direct, 1e-6);
  const auto sum = [&](std::size_t s) {
    return std::accumulate(all.seasons[s].generation.begin(), all.seasons[s].generation.end(), 0.0);
  };
  EXPECT_GT(sum(2), sum(1)) << "summer and spring";
  EXPECT_GT(sum(1), sum(3)) << "spring and autumn";
  EXPECT_GT(sum(3), sum(0)) << "autumn and winter";
  EXPECT_GT(all.months[5].generation, 3 * all.months[11].generation);
}

TEST(EnergyBalance, OfAHouseholdIsLowerThanThatOfManyWithoutStorage) {
  EXPECT_NEAR(100 * balance(4, 0).self_consumption() * geo::household_share(0, 4000, 4096), 30.1, 1.5);
  EXPECT_NEAR(100 * balance(4, 4).self_consumption() * geo::household_share(4, 4000, 4096), 60.9, 1.5);
  EXPECT_EQ(geo::household_share(20, 4000, 4096), 1);
  EXPECT_EQ(geo::household_share(0, 0, 4096), 1);
  EXPECT_EQ(geo::household_share(0, 4000, 0), 1);
}

TEST(EnergyBalance, OfAHouseholdThatTakesMoreUsesNoLessOfItsPlant) {
  for (const double kwp : {0.5, 2.2, 10.0, 40.0})
    for (const double storage_kwh : {0.0, 2.0, 5.0, 20.0}) {
      double before = 0;
      for (double consumption = 1000; consumption <= 100'000; consumption *= 1.15) {
        const geo::EnergyBalance of_many = balance(kwp, storage_kwh, LoadProfile::H0, consumption);
        const double share = geo::household_share(storage_kwh, consumption, of_many.generation);
        const double used = share * (of_many.direct + of_many.discharged);
        EXPECT_GE(used, 0.999 * before) << kwp << " kWp, " << storage_kwh << " kWh, " << consumption;
        before = used;
      }
    }
  EXPECT_GT(geo::household_share(0, 100'000, 1000), 0.98) << "all of it runs below the base load";
}

TEST(EnergyBalance, OfAHouseholdLosesNoEnergy) {
  for (const double share : {0.0, 0.78, 1.0}) {
    const geo::EnergyBalance b = geo::household_balance(balance(4, 3), share);
    EXPECT_NEAR(b.generation, b.direct + b.charged + b.fed_in, 1e-9 * b.generation);
    EXPECT_NEAR(b.consumption, b.direct + b.discharged + b.drawn, 1e-9 * b.consumption);
    EXPECT_NEAR(b.self_consumption(), share * balance(4, 3).self_consumption(), 1e-12);
  }
}

// ---- feed-in tariffs

TEST(FeedIn, IsPaidByEachSizeClassForItsShareOfThePower) {
  const geo::FeedInTariff germany{.classes = {{10, 0.08}, {40, 0.07}, {100, 0.06}}};
  EXPECT_NEAR(geo::feed_in_per_kwh(germany, 5), 0.08, 1e-12);
  EXPECT_NEAR(geo::feed_in_per_kwh(germany, 10), 0.08, 1e-12);
  EXPECT_NEAR(geo::feed_in_per_kwh(germany, 20), 0.075, 1e-12);
  EXPECT_NEAR(geo::feed_in_per_kwh(germany, 100), (10 * 0.08 + 30 * 0.07 + 60 * 0.06) / 100, 1e-12);
  EXPECT_NEAR(geo::feed_in_per_kwh(germany, 200), (10 * 0.08 + 30 * 0.07 + 160 * 0.06) / 200, 1e-12)
      << "the last class goes on";
  EXPECT_EQ(geo::feed_in_per_kwh(germany, 0), 0.08);
  EXPECT_EQ(geo::feed_in_per_kwh({}, 1), 0);
}

TEST(FeedIn, OfAPlantIsAtMostItsSumOverThePower) {
  const geo::FeedInTariff switzerland{.classes = {{150, 0.06}}, .most_rate_times_kwp = 1.8};
  EXPECT_NEAR(geo::feed_in_per_kwh(switzerland, 10), 0.06, 1e-12);
  EXPECT_NEAR(geo::feed_in_per_kwh(switzerland, 30), 0.06, 1e-12);
  EXPECT_NEAR(geo::feed_in_per_kwh(switzerland, 60), 0.03, 1e-12);
  EXPECT_NEAR(geo::feed_in_per_kwh(switzerland, 300), 0.006, 1e-12);
}

// ---- money

const geo::Investment kExample{.cost = 6000,
                               .operation_per_year = 90,
                               .generation_kwh = 4096,
                               .self_consumption = 0.384,
                               .price_per_kwh = 0.35,
                               .feed_in_per_kwh = 0.0786,
                               .degradation = 0.005,
                               .discount_rate = 0.03,
                               .years = 20};

void expect_figures(const geo::Investment& investment, double first, double payback, double value,
                    double rate_pct) {
  const geo::CashFlow flow = geo::cash_flow(investment);
  ASSERT_EQ(flow.years.size(), 20U);
  EXPECT_NEAR(flow.years.front().net, first, 0.05);
  ASSERT_TRUE(flow.payback_years && flow.internal_rate);
  EXPECT_NEAR(*flow.payback_years, payback, 0.005);
  EXPECT_NEAR(flow.net_present_value, value, 0.5);
  EXPECT_NEAR(100 * *flow.internal_rate, rate_pct, 0.005);
}

TEST(CashFlow, IsThatOfTheWorkedExample) {
  expect_figures(kExample, 658.8, 9.33, 3340, 8.49);
  geo::Investment other = kExample;
  other.self_consumption = 0.301;
  expect_figures(other, 566.6, 10.90, 2024, 6.46);
  other = kExample;
  other.price_rise = 0.02;
  expect_figures(other, 658.8, 8.72, 4813, 10.10);
  other.price_rise = 0.05;
  expect_figures(other, 658.8, 8.00, 7766, 12.60);
  EXPECT_NEAR(100 * geo::cash_flow(kExample).levelised_per_kwh.value(), 12.56, 0.005);
}

TEST(CashFlow, ThatNeverPaysHasNoPaybackAndNoInternalRate) {
  geo::Investment never = kExample;
  never.price_per_kwh = never.feed_in_per_kwh = 0;
  const geo::CashFlow flow = geo::cash_flow(never);
  EXPECT_FALSE(flow.payback_years);
  EXPECT_FALSE(flow.internal_rate);
  EXPECT_LT(flow.net_present_value, -6000);
  geo::Investment nothing = kExample;
  nothing.generation_kwh = 0;
  EXPECT_FALSE(geo::cash_flow(nothing).levelised_per_kwh);
  geo::Investment gift = kExample;
  gift.cost = 0;
  EXPECT_EQ(geo::cash_flow(gift).payback_years, 0);
  EXPECT_FALSE(geo::cash_flow(gift).internal_rate);
  gift.years = 0;
  EXPECT_TRUE(geo::cash_flow(gift).years.empty());
}

TEST(CashFlow, ReplacesTheStorageAsOftenAsItIsWornOut) {
  geo::Investment storage = kExample;
  storage.years = 40;
  storage.replacement_cost = 3000;
  storage.replaced_after = 10;
  const auto years = geo::cash_flow(storage).years;
  for (std::size_t year = 1; year <= years.size(); ++year)
    EXPECT_NEAR(years[year - 1].spent, year % 10 == 0 && year < 40 ? 3090 : 90, 1e-9) << year;
}

TEST(CashFlow, ReplacesTheStorageAndCountsItsPaybackFromThen) {
  geo::Investment storage = kExample;
  storage.replacement_cost = 3000;
  const geo::CashFlow flow = geo::cash_flow(storage), without = geo::cash_flow(kExample);
  EXPECT_NEAR(flow.years[14].spent, 3090, 1e-9);
  EXPECT_NEAR(flow.years[13].spent, 90, 1e-9);
  EXPECT_NEAR(without.net_present_value - flow.net_present_value, 3000 / std::pow(1.03, 15), 1e-6);
  EXPECT_EQ(*flow.payback_years, *without.payback_years) << "by then the plant has earned it";
  storage.replacement_cost = 5000;
  EXPECT_GT(geo::cash_flow(storage).payback_years.value(), 15) << "paid twice";
  storage.replaced_after = 20;  // nobody buys one for no year
  EXPECT_EQ(geo::cash_flow(storage).net_present_value, without.net_present_value);
}

TEST(CashFlow, SellsNothingOfWhatTheStorageLoses) {
  geo::Investment lossy = kExample;
  lossy.storage_loss = 0.1;
  EXPECT_NEAR(geo::cash_flow(kExample).years[0].fed_in - geo::cash_flow(lossy).years[0].fed_in,
              409.6 * 0.0786, 1e-9);
  EXPECT_EQ(geo::cash_flow(kExample).years[0].saved, geo::cash_flow(lossy).years[0].saved);
}

}  // namespace
