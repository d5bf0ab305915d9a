// How many of the modules that fit are needed for the consumption: the most productive surfaces are filled
// first, with whole modules, until the year's yield covers the consumption. Energies in kWh a year, power in
// kWp, specific yield in kWh/kWp.
#pragma once
#include <optional>
#include <vector>

namespace geo {

struct SurfacePotential {
  int modules_possible = 0;
  std::optional<double> kwh_per_kwp;  ///< unknown: the surface is not recommended
};

struct Recommendation {
  std::vector<int> modules;           ///< for every surface, in the order given
  int modules_total = 0;              ///< auslegung_module
  int surfaces = 0;                   ///< auslegung_flaechen: how many carry modules
  double power_kwp = 0;               ///< auslegung_kwp
  double yield_kwh = 0;               ///< ertrag_kwh
  std::optional<double> kwh_per_kwp;  ///< spez_ertrag_kwh_kwp; none without modules
  std::optional<double>
      wanted_kwp;  ///< empfehlung_kwp: consumption / that specific yield, even where the roof is too small
};

/// No surface is opened for one module: the installation then stays less than a module short of the
/// consumption, or goes on to the next surface where a surface has room for only one. A single module is
/// recommended only when it is all there is to recommend.
Recommendation recommend(const std::vector<SurfacePotential>& surfaces, double module_power_w,
                         double consumption_kwh);

}  // namespace geo
