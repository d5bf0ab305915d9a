// How strongly the errors of neighbouring cells are correlated. A fit to n cells is as uncertain as one to
// fewer independent ones; the factor follows from the residuals' correlation at small distances (as in block
// kriging, Journel & Huijbregts 1978, "Mining geostatistics"), pooled over a building's planes. No unit.
#pragma once
#include "geo/roof/segments.hpp"

namespace geo {

/// Variance of a fit over what independent noise would give, from 1 (independent, or too few cells to tell)
/// to 6.
double noise_correlation(const RoofSegmentation& roof);

}  // namespace geo
