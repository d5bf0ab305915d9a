// What the visitor assumes, read from the page's address (a form sent by GET). What is wrong is told beside
// its field and computed with the default; what was typed is kept.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "http/web/economics/economics_input.hpp"
#include "http/web/economics/tariffs.hpp"
#include "http/wire/request.hpp"

namespace http {

enum class LayoutChoice { recommended, best_first, by_surface };

/// Money in the country's currency, prices for each kWh in hundredths of it, shares in percent.
struct Assumptions {
  LayoutChoice layout = LayoutChoice::recommended;
  double modules = 0;           ///< of best_first
  std::vector<int> by_surface;  ///< modules on each of the analysis' surfaces: what is computed
  double storage_kwh = 0;       ///< usable
  double price = 0, price_rise_pct = 0;
  std::optional<TariffPreset> tariff;  ///< none: own_feed_in
  double own_feed_in = 0;
  double cost_per_kwp = 0;
  std::optional<double> cost_total;  ///< without storage; instead of cost_per_kwp
  double storage_cost_per_kwh = 0;
  double operation_per_year = 0;
  double degradation_pct = 0.5, discount_pct = 3, years = 20, storage_years = 15;

  double kwp(const geo::RoofAnalysis& analysis) const;
  double plant_cost(const geo::RoofAnalysis& analysis) const;
  double storage_cost() const { return storage_kwh * storage_cost_per_kwh; }
};

struct EconomicsForm {
  Assumptions assumptions;
  std::map<std::string, std::string> faults;  ///< German sentences by the field's name
  std::map<std::string, std::string> shown;   ///< what each field holds: what was typed, else the default
  std::map<std::string, std::string> computed_with;  ///< the same, with the default where it was wrong
};

EconomicsForm read_economics_form(const EconomicsInput& input, const NameValues& query);

/// "flaeche_3"
std::string surface_field(int surface_id);

}  // namespace http
