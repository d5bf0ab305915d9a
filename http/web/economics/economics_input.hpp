// What a project brings to its economics: a stored analysis and what the request that made it said.
#pragma once
#include <chrono>
#include <string>

#include "geo/roof_analysis.hpp"

namespace http {

struct EconomicsInput {
  std::string project_name;
  std::string project_address;  ///< of the project's page, for the way back
  std::string csv_address;      ///< without a query
  std::string country;          ///< "AT", "DE", "CH"
  geo::LonLat place;
  double consumption_kwh = 0;
  std::string load_profile;             ///< the contract's code
  std::chrono::year_month_day today{};  ///< its year's workdays and holidays count
  geo::RoofAnalysis analysis;
};

}  // namespace http
