// Of which packets a set of outlines is to be made: the plan beside the set's record. Outlines are one file,
// which is made as a whole, so what it was made of before belongs to each plan for it. Packets are those of
// today's listing, under today's URLs; what the office does not list any more is left out.
#pragma once
#include <string>

#include "geo/offices/data_folder.hpp"
#include "geo/offices/plan.hpp"

namespace geo::offices {

// Both give back a sentence when something that was there will not be.

/// Adds what the set was made of before to the packets and the window that are wished. Where all of it is
/// here, the packets are marked as such and no longer count as what is to be fetched.
std::string add_known_packets(SetPlan& set, const DataFolder& folder);

/// Leaves the packets and the window of which the set was made: what an update looks at.
std::string keep_known_packets(SetPlan& set, const DataFolder& folder);

}  // namespace geo::offices
