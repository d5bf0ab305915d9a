// Feed-in tariffs that the form offers: figures of a date, with their source. They change and must be
// checked; a visitor may always type an own figure.
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "geo/economics/feed_in.hpp"

namespace http {

struct TariffPreset {
  std::string id;  ///< in the address
  std::string country;
  std::string name, period, source;  ///< German
  bool full_feed_in = false;         ///< nothing is used in the house
  geo::FeedInTariff tariff;          ///< EUR or CHF for each kWh
  std::chrono::year_month_day first_day{};
  std::optional<std::chrono::year_month_day> last_day{};  ///< none: until something else is decided
  std::optional<int> paid_years{};                        ///< none: as long as the plant feeds in
  std::string remark{};                                   ///< German, for every plant
  /// What else holds for plants from this power on; German.
  struct Beyond {
    double kwp;
    std::string remark;
  };
  std::vector<Beyond> beyond{};
};

/// Of "AT", "DE" or "CH", the newest first; none for any other country.
std::vector<TariffPreset> tariff_presets(std::string_view country);

/// Whether a plant that begins on that day is paid so.
bool holds_on(const TariffPreset& preset, std::chrono::year_month_day day);

/// What somebody must know before he relies on the preset; German sentences.
std::string remarks_on(const TariffPreset& preset, double kwp, double years,
                       std::chrono::year_month_day today);

/// How a country's money is written.
struct Currency {
  std::string_view name, hundredth;
};
Currency currency_of(std::string_view country);

}  // namespace http
