#include "http/commands/computing.hpp"

#include <unistd.h>

#include <array>
#include <caf/config_value.hpp>
#include <caf/deep_to_string.hpp>

#include "actors/workers/worker_facts.hpp"
#include "geo/property_analysis.hpp"

namespace http {
namespace {

constexpr std::size_t kFrame_bytes = 64U << 10U;  // of a message, beside the result's bytes

/// The options that bear on a result's bytes, as text.
std::string options_for_results(const ServeConfig& config) {
  std::string text =
      "geocoder=" + config.geocoder + ", offices.offline=" + (config.offices.offline ? "true" : "false");
  for (const auto& option : config.options()) {
    if (option.category() != caf::string_view("module")) continue;
    const auto value = option.get();
    text += ", module." + std::string(option.long_name().begin(), option.long_name().end()) + "=" +
            (value ? caf::deep_to_string(*value) : "?");
  }
  return text;
}

std::string name_of_machine() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "worker";
}

}  // namespace

GeocoderPtr geocoder_of(const ServeConfig& config, const Links& links) {
  const actors::GeocodingDialect* dialect = actors::dialect_of(config.geocoder);
  if (!dialect) return nullptr;
  auto options = config.geocoding;
  if (options.contact.empty()) options.contact = links.base_url;
  return std::make_shared<actors::ExternalGeocoder>(*dialect, std::move(options));
}

actors::Compute compute_of(const ServeConfig& config, LiveGeodataPtr data, GeocoderPtr geocoder) {
  return
      [data = std::move(data), geocoder = std::move(geocoder), modules = config.modules](
          const actors::AnalysisJob& job, const geo::StepListener& on_step, const geo::RunControl& control) {
        const auto geodata = data->now();
        auto property = geo::analyse_property(
            *geodata, {{job.lon_deg, job.lat_deg}, job.consumption_kwh, modules}, on_step, control);
        if (property && geocoder) property->analysis.sources.push_back(geocoder->source());
        return property;
      };
}

actors::WorkersPoolActor::Facts facts_of(const ServeConfig& config, LiveGeodataPtr data) {
  const actors::WorkerFacts lasting{
      .name = config.cluster.name.empty() ? name_of_machine() : config.cluster.name,
      .threads = config.cluster.resolved_threads(),
      .build = actors::build_of_this_program(),
      .arithmetic = actors::arithmetic_of_this_processor(),
      .options = options_for_results(config),
  };
  return [lasting, data = std::move(data)] {
    actors::WorkerFacts facts = lasting;
    facts.catalogue = data->now()->digest;
    return facts;
  };
}

actors::SecurePortOptions secure_port_of(const ServeConfig& config, const HostPort& place) {
  return {.host = place.host,
          .port = place.port,
          .frame_max = (std::size_t{config.cluster.message_max_mb} << 20U) + kFrame_bytes};
}

}  // namespace http
