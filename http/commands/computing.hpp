// What a run is computed with: the same in `roofd serve` and in `roofd worker`.
#pragma once
#include <memory>

#include "actors/geocoding/external_geocoder.hpp"
#include "actors/runs/analyst.hpp"
#include "actors/workers/secure_port.hpp"
#include "actors/workers/workers_pool.hpp"
#include "geo/data/live_geodata.hpp"
#include "http/commands/configuration.hpp"

namespace http {

using GeocoderPtr = std::shared_ptr<actors::ExternalGeocoder>;
using LiveGeodataPtr = std::shared_ptr<const geo::LiveGeodata>;

/// The external service that resolves addresses; null when the catalogue's register does.
GeocoderPtr geocoder_of(const ServeConfig& config, const Links& links);

actors::Compute compute_of(const ServeConfig& config, LiveGeodataPtr data, GeocoderPtr geocoder);

/// What this process computes with, as the home and its workers compare it.
actors::WorkersPoolActor::Facts facts_of(const ServeConfig& config, LiveGeodataPtr data);

/// With the bounds that the options set.
actors::SecurePortOptions secure_port_of(const ServeConfig& config, const HostPort& place);

}  // namespace http
