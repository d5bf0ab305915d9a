// The built-in climatology's figures: a grid of monthly irradiation, as it was published (raw; climate.cpp
// corrects it). Monthly global horizontal irradiation, mean of 2006-2025, in tenths of kWh/m2.
// Source: surface radiation of EUMETSAT CM SAF, published by Deutscher Wetterdienst (DWD), CC BY 4.0.
#pragma once

namespace geo::climate_table {

inline constexpr double kSouth_deg = 45.6, kWest_deg = 5.8, kStep_deg = 0.2;
inline constexpr int kRows = 49;     ///< from south to north
inline constexpr int kColumns = 52;  ///< from west to east

/// Irradiation at a node; `month` from 0 (January).
double ghi_kwh_m2(int row, int column, int month);

}  // namespace geo::climate_table
