#include "geo/sample_region/terrain.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geo/sample_region/random.hpp"

namespace geo::sample {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;
constexpr double kSlopeReach_m = 700;    // where the local slope levels out
constexpr double kHillsBegin_m = 900;    // no hill nearer than the settlement's surroundings
constexpr double kHillsFull_m = 7000;
constexpr double kChainDistance_m = 24000;
constexpr double kChainWidth_m = 5000;
constexpr double kChainHeight_m = 1300;

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
  for (int i = 0; i < 3; ++i)
    undulations_.push_back(wave(random.uniform(120, 260), random.uniform(0.2, 0.45)));
  for (int i = 0; i < 7; ++i) hills_.push_back(wave(random.uniform(2500, 12000), random.uniform(25, 75)));
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
  const double r = std::hypot(at.x, at.y);
  // The slope levels out, so that it is a hillside and not an endless ramp.
  const double reach = r < 1 ? 1 : kSlopeReach_m * std::tanh(r / kSlopeReach_m) / r;
  double z = base_m_ + reach * (slope_x_ * at.x + slope_y_ * at.y) + sum(undulations_, at);
  if (r <= kHillsBegin_m) return z;
  const double t = std::min(1.0, (r - kHillsBegin_m) / (kHillsFull_m - kHillsBegin_m));
  const double ramp = t * t * (3 - 2 * t);
  z += ramp * (110 + sum(hills_, at));
  const double towards = at.x * chain_east_ + at.y * chain_north_ - kChainDistance_m;
  const double along = -at.x * chain_north_ + at.y * chain_east_;
  const double peaks = 1 + 0.25 * std::sin(along / 1900) + 0.15 * std::sin(along / 730 + 1);
  return z + ramp * kChainHeight_m * peaks * std::exp(-towards * towards / (2 * kChainWidth_m * kChainWidth_m));
}

}  // namespace geo::sample
