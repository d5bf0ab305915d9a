#include "geo/solar/sky_mix.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace geo {
namespace {

/// Each state's beam with the sun overhead, as a share of the cloudless sky's.
SkyStateValues overhead_shares() {
  SkyStateValues shares{};
  for (std::size_t j = 0; j < kSkyStates; ++j)
    if (const double k = kClearSkyIndex[j] - 0.38 * (1 - kClearSkyIndex[j]); k > 0)
      shares[j] = std::pow(k, 2.5);
  return shares;
}
const SkyStateValues kOverhead = overhead_shares();

struct Moments {
  SkyStateValues probability{};
  double index = 0, beam = 0;                     // means
  double index_var = 0, beam_var = 0, covar = 0;  // about them
};

/// The exponential family's member with the multipliers a and b.
Moments moments(double a, double b, const SkyStateValues& beam) {
  Moments m;
  SkyStateValues exponent;
  for (std::size_t j = 0; j < kSkyStates; ++j) exponent[j] = a * kClearSkyIndex[j] + b * beam[j];
  const double largest = *std::max_element(exponent.begin(), exponent.end());
  double total = 0;
  for (std::size_t j = 0; j < kSkyStates; ++j) total += m.probability[j] = std::exp(exponent[j] - largest);
  for (std::size_t j = 0; j < kSkyStates; ++j) {
    m.probability[j] /= total;
    m.index += m.probability[j] * kClearSkyIndex[j];
    m.beam += m.probability[j] * beam[j];
  }
  for (std::size_t j = 0; j < kSkyStates; ++j) {
    const double di = kClearSkyIndex[j] - m.index, db = beam[j] - m.beam;
    m.index_var += m.probability[j] * di * di;
    m.beam_var += m.probability[j] * db * db;
    m.covar += m.probability[j] * di * db;
  }
  return m;
}

/// The least and the most beam that a mix with this mean index can have: one lies on the beam curve (it is
/// convex), the other on its chord. Both are kept a little inside, where the mix is not degenerate.
double feasible_beam(double index, double wanted, const SkyStateValues& beam) {
  std::size_t j = 0;
  while (j + 2 < kSkyStates && kClearSkyIndex[j + 1] < index) ++j;
  const auto between = [&](std::size_t from, std::size_t to) {
    const double share = (index - kClearSkyIndex[from]) / (kClearSkyIndex[to] - kClearSkyIndex[from]);
    return beam[from] + share * (beam[to] - beam[from]);
  };
  const double least = between(j, j + 1), most = between(0, kSkyStates - 1);
  const double margin = 0.03 * (most - least);
  return std::clamp(wanted, least + margin, std::max(least + margin, most - margin));
}

}  // namespace

SkyStateValues beam_shares(double elevation_deg) {
  constexpr double kFurthestZenith_deg = 80;
  const double zenith_deg = std::min(kFurthestZenith_deg, 90 - elevation_deg);
  const double tangent = std::tan(zenith_deg * std::numbers::pi / 180);
  SkyStateValues shares;
  for (std::size_t j = 0; j < kSkyStates; ++j) {
    const double p = kOverhead[j];
    const double b = std::max(0.0, 0.55 - (1 - p) / 2);
    shares[j] = p <= 0 || p >= 1 ? p : std::pow(p, 1 + b * tangent);
  }
  return shares;
}

SkyStateValues sky_mix(double mean_index, double mean_beam, const SkyStateValues& beam) {
  const double index = std::clamp(mean_index, kClearSkyIndex.front() + 0.02, kClearSkyIndex.back() - 0.02);
  const double wanted_beam = feasible_beam(index, mean_beam, beam);
  // Newton on the convex dual; the step's limit keeps it from overshooting near the edge of the feasible
  // region.
  constexpr double kLargestStep = 3, kGoodEnough = 1e-10;
  double a = 0, b = 0;
  Moments m = moments(a, b, beam);
  for (int round = 0; round < 300; ++round) {
    const double di = index - m.index, db = wanted_beam - m.beam;
    if (std::abs(di) < kGoodEnough && std::abs(db) < kGoodEnough) break;
    const double ridge = 1e-9;
    const double ii = m.index_var + ridge, bb = m.beam_var + ridge;
    const double determinant = ii * bb - m.covar * m.covar;
    const double step_a = (bb * di - m.covar * db) / determinant;
    const double step_b = (ii * db - m.covar * di) / determinant;
    const double scale = std::min(1.0, kLargestStep / std::max(std::abs(step_a), std::abs(step_b)));
    a += scale * step_a;
    b += scale * step_b;
    m = moments(a, b, beam);
  }
  return m.probability;
}

}  // namespace geo
