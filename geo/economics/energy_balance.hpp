// Where a plant's electricity goes in a typical year and where the house's comes from, in quarters of an
// hour. The sky changes within a quarter: in part of it the plant gives more than the house takes, in part
// less. So direct use is computed for each sky and then averaged, not computed from the mean generation.
// Without storage the figures are thereby exact for the mix of skies; with storage they depend on the days'
// order (day_skies.hpp) by up to a point. kWh.
#pragma once
#include <array>
#include <vector>

#include "geo/economics/load_profile.hpp"
#include "geo/economics/storage.hpp"
#include "geo/economics/typical_generation.hpp"

namespace geo {

/// generation = direct + charged + fed_in; consumption = direct + discharged + drawn.
struct EnergyBalance {
  double generation = 0, consumption = 0;
  double direct = 0;      ///< used in the house at once
  double charged = 0;     ///< taken by the storage
  double discharged = 0;  ///< given by the storage
  double fed_in = 0;      ///< given to the grid
  double drawn = 0;       ///< taken from the grid

  /// Share of the generation that is not fed in (Eigenverbrauchsanteil); 0 without generation.
  double self_consumption() const { return generation > 0 ? (direct + charged) / generation : 0; }
  /// Share of the consumption that the plant meets (Autarkiegrad); 0 without consumption.
  double self_sufficiency() const { return consumption > 0 ? (direct + discharged) / consumption : 0; }
  EnergyBalance& operator+=(const EnergyBalance& other);
};

/// Winter (December to February), spring, summer, autumn: not the load profiles' seasons.
inline constexpr std::size_t kSeasonsOfSun = 4;

/// The mean day of a season, legal time.
struct SeasonDay {
  DayLoad generation{}, consumption{}, direct{};
};

struct YearBalance {
  EnergyBalance year;
  std::array<EnergyBalance, 12> months;
  std::array<SeasonDay, kSeasonsOfSun> seasons;
};

/// `load`: of each day of `year` (load_of_year). The storage is empty on the first day.
YearBalance balance_of_year(const TypicalGeneration& generation, const std::vector<Day>& year,
                            const std::vector<DayLoad>& load, const StorageOptions& storage);

}  // namespace geo
