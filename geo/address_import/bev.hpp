// The Austrian address register as BEV publishes it: related tables (ADRESSE, STRASSE, ORTSCHAFT, GEMEINDE
// and GEBAEUDE.csv) in a folder or a ZIP, places in the Gauss-Krüger system that each row names.
#pragma once
#include <functional>
#include <string>

#include "geo/address_import/gathered_houses.hpp"
#include "geo/address_import/text_rows.hpp"
#include "geo/failure.hpp"

namespace geo {

/// Fails with invalid_input for a table or a column that is missing; GEBAEUDE.csv may be.
Result<void> read_bev(const std::string& place, TextEncoding& encoding, GatheredHouses& houses,
                      const std::function<bool(TextProgress)>& go_on);

/// The names of an Austrian place as the register has it, put into the house: "Graz,06.Bez.:Jakomini" is
/// Graz, also Jakomini and the 6. Bezirk.
void name_austrian_place(House& house, std::string_view name);

}  // namespace geo
