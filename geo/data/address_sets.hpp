// The address registers that the catalogue names, as one.
#pragma once
#include <string>
#include <vector>

#include "geo/addresses/register.hpp"
#include "geo/data/catalogue.hpp"
#include "geo/failure.hpp"

namespace geo {

struct AddressSets {
  AddressRegister addresses;       ///< its registers in the order of Catalogue::of(DataKind::addresses)
  std::vector<std::string> notes;  ///< what an operator should know about what was read, one sentence each
};

/// Opens the indexes among the data sets (roofd geodata import-addresses) and reads the others into memory
/// (address_file.hpp). Fails with invalid_input and one sentence that names the file.
Result<AddressSets> load_addresses(const Catalogue& catalogue);

}  // namespace geo
