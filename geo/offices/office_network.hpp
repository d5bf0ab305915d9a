// The offices' manners in terms of the network: how many connections each bears, who wants a Referer, whose
// chain of certificates is incomplete.
#pragma once
#include <string>
#include <vector>

#include "geo/fetch/fetcher.hpp"
#include "geo/offices/listing_store.hpp"
#include "geo/offices/recipe.hpp"

namespace geo::offices {

/// `ca_file`: for the offices whose chain is incomplete; may be empty.
NetworkOptions network_options(const std::vector<Recipe>& recipes, const std::string& contact,
                               const std::string& ca_file);

/// Listings by way of a fetcher. Both must outlive it.
Asking asking_by(Fetcher& fetcher, const RunControl& control);

/// Whether a listed size must be the file's to the byte. Metalinks' must; pages and feeds only say how much
/// to expect.
bool tells_exact_sizes(const Source& source);

/// What a file of this source begins with.
Content content_of(const Source& source);

}  // namespace geo::offices
