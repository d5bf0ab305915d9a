// roofd geodata import-addresses: makes an address index of an office's register.
#pragma once
#include <string>

#include "geo/address_import/import.hpp"
#include "geo/failure.hpp"
#include "http/commands/commands.hpp"

namespace http {

/// FILE --as=hk-de|gebref|bev|swisstopo|csv:... --out=FILE.addr. 0: done; 2: the register or an option is
/// wrong, and nothing is changed; 130: stopped by a signal.
int import_addresses_command(const Arguments& arguments);

/// The same for whoever calls it, with the progress on stderr, a bar on a terminal and a line now and then
/// elsewhere. Returns a sentence about what was read.
geo::Result<std::string> import_with_progress(const geo::AddressImport& import);

}  // namespace http
