#include "geo/sample_region/hills.hpp"

#include <algorithm>
#include <cmath>

#include "geo/sample_region/random.hpp"
#include "geo/shapes/angle.hpp"

namespace geo::sample {
namespace {

constexpr double kSlopeReach_m = 700;  // where the local slope levels out
constexpr double kHillsBegin_m = 900;  // no hill nearer than the settlement's surroundings
constexpr double kHillsFull_m = 7000;
constexpr double kChainDistance_m = 24000;
constexpr double kChainWidth_m = 5000;
constexpr double kChainHeight_m = 1300;

/// Hills of several sizes (value noise in octaves, Perlin 1985's fractal sum).
double rolling(Point at, std::uint64_t salt) {
  double total = 0, amplitude_m = 190;
  for (double scale_m = 8000; scale_m > 700; scale_m /= 2.3, amplitude_m /= 2.1)
    total += amplitude_m * value_noise(at.x, at.y, scale_m, salt + static_cast<std::uint64_t>(scale_m));
  return total;
}

/// In [0, 1]: sharp crests (ridged noise, Musgrave 1993).
double rugged(Point at, std::uint64_t salt) {
  double total = 0, weight = 0.55;
  for (double scale_m = 4200; scale_m > 900; scale_m /= 2, weight /= 2)
    total +=
        weight *
        (1 - std::abs(2 * value_noise(at.x, at.y, scale_m, salt + static_cast<std::uint64_t>(scale_m)) - 1));
  return total;
}

}  // namespace

Terrain::Terrain(std::uint32_t seed, double base_m) : base_m_(base_m) {
  Random random(seed, Stream::terrain);
  // Slope and undulations together stay at or under about 15 percent.
  const double grade = random.uniform(0.03, 0.085);
  const double direction = random.uniform(0, kTurn);
  slope_x_ = grade * std::cos(direction);
  slope_y_ = grade * std::sin(direction);
  auto wave = [&](double length_m, double amplitude_m) {
    const double heading = random.uniform(0, kTurn);
    const double k = kTurn / length_m;
    return Wave{k * std::cos(heading), k * std::sin(heading), random.uniform(0, kTurn), amplitude_m};
  };
  for (int i = 0; i < 3; ++i) {
    const double amplitude_m = random.uniform(0.2, 0.45), length_m = random.uniform(120, 260);
    undulations_.push_back(wave(length_m, amplitude_m));
  }
  hills_ = scramble(seed) >> 24;
  const double bearing = random.uniform(0.4, 0.6) * kTurn;
  chain_east_ = std::sin(bearing);
  chain_north_ = std::cos(bearing);
}

double Terrain::sum(const std::vector<Wave>& waves, Point at) {
  double total = 0;
  for (const Wave& w : waves) total += w.amplitude_m * std::sin(w.kx * at.x + w.ky * at.y + w.phase);
  return total;
}

double Terrain::height(Point at) const {
  const double r = std::sqrt(at.x * at.x + at.y * at.y);
  // The slope levels out, so that it is a hillside and not an endless ramp.
  const double reach = 1 / std::sqrt(1 + r * r / (kSlopeReach_m * kSlopeReach_m));
  double z = base_m_ + reach * (slope_x_ * at.x + slope_y_ * at.y) + sum(undulations_, at);
  if (r <= kHillsBegin_m) return z;
  const double t = std::min(1.0, (r - kHillsBegin_m) / (kHillsFull_m - kHillsBegin_m));
  const double ramp = t * t * (3 - 2 * t);
  const double towards = at.x * chain_east_ + at.y * chain_north_ - kChainDistance_m;
  const double chain = std::exp(-towards * towards / (2 * kChainWidth_m * kChainWidth_m));
  return z + ramp * (rolling(at, hills_) + kChainHeight_m * chain * (0.4 + 1.2 * rugged(at, hills_)));
}

}  // namespace geo::sample
