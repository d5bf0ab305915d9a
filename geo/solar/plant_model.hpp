// From light on the glass to alternating current: the plant that every surface is calculated with. All
// figures are defaults that the configuration may replace.
#pragma once

namespace geo {

/// Shares lost, in percent, that multiply. PVWatts (Dobos 2014) without its shading: 11.4 % together.
struct SystemLosses {
  double soiling_pct = 2;
  double mismatch_pct = 2;
  double wiring_pct = 2;
  double connections_pct = 0.5;
  double light_induced_pct = 1.5;
  double nameplate_pct = 1;
  double availability_pct = 3;
  double remaining_share() const;
};

struct PlantModel {
  SystemLosses losses;
  double inverter_efficiency = 0.97;

  /// Change of power per kelvin above 25 C.
  double power_coefficient_per_k = -0.0034;
  /// Power at 200 W/m2 relative to a fifth of that at 1000 W/m2, as data sheets state it.
  double low_light_efficiency = 0.985;

  /// Faiman (2008), "Assessing the outdoor operating temperature of photovoltaic modules": Tc = Ta + G / (uc
  /// + uv v). 20 instead of the free-standing 25: roof-parallel modules are cooled from one side.
  double heat_loss_uc = 20;    ///< W/m2/K
  double heat_loss_uv = 6.84;  ///< W/m2/K per m/s
  double wind_m_s = 1;         ///< along the roof, not at a mast's height

  double albedo = 0.2;
  double reflection_a_r = 0.16;  ///< Martin & Ruiz 2001, glass
  bool snow = true;
};

/// Direct-current power per kW of nameplate. `irradiance` is what lies on the plane, `entering` what passes
/// the glass; W/m2.
double module_power(const PlantModel& plant, double irradiance_w_m2, double entering_w_m2, double air_c);

}  // namespace geo
