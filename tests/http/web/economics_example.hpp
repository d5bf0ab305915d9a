// A project whose roof gives what the tables of the economics were made with: Potsdam, south, 35 degrees,
// 1024 kWh/kWp, ten modules of 400 W, 4000 kWh a year.
#pragma once
#include <numeric>

#include "http/web/economics/computation.hpp"
#include "http/web/economics/economics_page.hpp"

namespace test {

inline geo::RoofSurface example_surface(int id, double azimuth_deg, double kwh_per_kwp, int modules,
                                        int recommended) {
  geo::RoofSurface s;
  s.id = id;
  s.name = "Fläche " + std::to_string(id);
  s.tilt_deg = 35;
  s.azimuth_deg = azimuth_deg;
  s.ridge_height_m = 9;
  s.plane = {0, 0, 90, 0, 0};
  s.outline.outer = {{0, 0}, {10, 0}, {10, 6}, {0, 6}};
  s.modules.resize(static_cast<std::size_t>(modules));
  s.modules_recommended = recommended;
  s.yield_kwh_per_kwp = kwh_per_kwp;
  return s;
}

inline http::EconomicsInput example_economics(const std::string& country = "DE") {
  http::EconomicsInput input;
  input.project_name = "Haus";
  input.project_address = "/projekte/1";
  input.csv_address = "/projekte/1/wirtschaftlichkeit.csv";
  input.country = country;
  input.place = {13.067, 52.383};
  input.consumption_kwh = 4000;
  input.load_profile = "H0";
  input.today = std::chrono::year{2017} / 7 / 1;
  input.analysis.module_power_w = 400;
  input.analysis.surfaces = {example_surface(1, 0, 1024, 10, 10), example_surface(2, 180, 700, 12, 0)};
  return input;
}

inline http::Economics computed(const http::EconomicsInput& input, const http::NameValues& query = {}) {
  return *http::compute_economics(input, http::read_economics_form(input, query).assumptions);
}

}  // namespace test
