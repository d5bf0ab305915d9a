// All data that a service works on: the catalogue and, read into memory, the houses of its address register.
#pragma once
#include <string>

#include "geo/data/address_register.hpp"
#include "geo/data/catalogue.hpp"
#include "geo/failure.hpp"

namespace geo {

/// Immutable after loading, so any number of runs may share it.
struct Geodata {
  Catalogue catalogue;
  AddressRegister addresses;

  /// Fails with invalid_input and one sentence that names the file and the field.
  static Result<Geodata> load(const std::string& catalogue_path) {
    auto catalogue = Catalogue::load(catalogue_path);
    if (!catalogue) return tl::make_unexpected(catalogue.error());
    auto addresses = AddressRegister::load(*catalogue);
    if (!addresses) return tl::make_unexpected(addresses.error());
    return Geodata{std::move(*catalogue), std::move(*addresses)};
  }
};

}  // namespace geo
