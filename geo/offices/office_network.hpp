// The offices' manners in terms of the network: how many connections each bears, who wants a Referer, whose
// chain of certificates is incomplete.
#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "geo/fetch/fetcher.hpp"
#include "geo/offices/data_folder.hpp"
#include "geo/offices/listed.hpp"
#include "geo/offices/listing_store.hpp"
#include "geo/offices/recipe.hpp"

namespace geo::offices {

/// `ca_file`: for the offices whose chain is incomplete; may be empty.
NetworkOptions network_options(const std::vector<Recipe>& recipes, const std::string& contact,
                               const std::string& ca_file);

/// Listings by way of a fetcher. Both must outlive it.
Asking asking_by(Fetcher& fetcher, const RunControl& control);

/// What a file of this source begins with.
Content content_of(const Source& source);

/// A listed file, to be fetched into the folder's downloads.
FileRequest request_of(const Source& source, const ListedFile& listed, const DataFolder& folder);

/// Does `work` for each of a source's files, by as many threads as the office bears connections; until it is
/// cancelled.
void each_at_once(const Source& source, const std::vector<std::size_t>& files, const RunControl& control,
                  const std::function<void(std::size_t)>& work);

}  // namespace geo::offices
