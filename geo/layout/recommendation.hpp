// How much of what the roofs can carry the consumption asks for: the most productive surfaces are filled
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
      wanted_kwp;  ///< empfehlung_kwp: the consumption over that specific yield, roof or no roof
};

/// Nobody opens a surface for one module: the layout then stays less than a module short of the consumption,
/// or goes on to the next surface where a surface has room for only one. A single module comes out when it is
/// all there is to recommend.
Recommendation recommend(const std::vector<SurfacePotential>& surfaces, double module_power_w,
                         double consumption_kwh);

}  // namespace geo
