#include "geo/data/address_sets.hpp"

#include "geo/addresses/index_file.hpp"
#include "geo/data/address_file.hpp"

namespace geo {

Result<AddressSets> load_addresses(const Catalogue& catalogue) {
  std::vector<AddressIndex> registers;
  std::vector<std::string> notes;
  for (const DataSet& set : catalogue.of(DataKind::addresses)) {
    if (is_address_index(set.path)) {
      auto index = AddressIndex::open(set.path);
      if (!index) return tl::make_unexpected(index.error());
      notes.push_back(set.path + ": " + std::to_string(index->houses()) + " addresses, an index on disk");
      registers.push_back(std::move(*index));
    } else {
      auto read = read_address_file(set.path);
      if (!read) return tl::make_unexpected(read.error());
      registers.push_back(AddressIndex::of(read->houses));
      notes.push_back(std::move(read->note));
    }
  }
  return AddressSets{AddressRegister(std::move(registers)), std::move(notes)};
}

}  // namespace geo
