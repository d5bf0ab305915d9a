// All data that a service works on: the catalogue and its address registers.
#pragma once
#include <string>

#include "geo/data/address_sets.hpp"
#include "geo/data/catalogue.hpp"
#include "geo/failure.hpp"

namespace geo {

/// Immutable after loading, so any number of runs may share it.
struct Geodata {
  Catalogue catalogue;
  AddressRegister addresses;
  std::vector<std::string> notes{};  ///< what an operator should know about what was read, one sentence each
  std::string digest{};              ///< digest_of() the catalogue; empty where nobody asks for it

  /// Fails with invalid_input and one sentence that names the file and the field.
  static Result<Geodata> load(const std::string& catalogue_path) {
    auto catalogue = Catalogue::load(catalogue_path);
    if (!catalogue) return tl::make_unexpected(catalogue.error());
    auto addresses = load_addresses(*catalogue);
    if (!addresses) return tl::make_unexpected(addresses.error());
    return Geodata{std::move(*catalogue), std::move(addresses->addresses), std::move(addresses->notes)};
  }
};

}  // namespace geo
