// Random numbers that are the same with every standard library: the generator is the standard's (Mersenne
// twister, Matsumoto & Nishimura 1998), the distributions are written here because the library's differ from
// one to the next.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

namespace geo::sample {

/// Scrambles 64 bits (splitmix64's finaliser, Steele, Lea & Flood 2014).
inline std::uint64_t scramble(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// What a stream of random numbers serves: one stream's use leaves the others as they are.
enum class Stream : std::uint64_t {
  terrain = 1,
  layout,
  planting,
  returns,
  ground_noise,
  gaps,
  gridding,
  survey
};

/// Draw into variables, one a statement or a declarator: the order of a call's arguments is the compiler's,
/// and a settlement would differ with it.
class Random {
 public:
  Random(std::uint32_t seed, Stream stream)
      : engine_(scramble(seed + (static_cast<std::uint64_t>(stream) << 32))) {}

  /// In [0, 1).
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1.0p-53; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  bool chance(double probability) { return uniform() < probability; }
  /// Both ends included.
  int integer(int low, int high) { return low + static_cast<int>(uniform() * (high - low + 1)); }

  /// Box & Muller 1958.
  double normal(double sigma) {
    if (has_spare_) {
      has_spare_ = false;
      return spare_ * sigma;
    }
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    const double angle = 2 * std::numbers::pi * uniform();
    spare_ = radius * std::sin(angle);
    has_spare_ = true;
    return radius * std::cos(angle) * sigma;
  }

  /// Knuth's product of uniforms: for small means.
  int poisson(double exp_minus_mean) {
    int count = 0;
    for (double product = uniform(); product > exp_minus_mean; product *= uniform()) ++count;
    return count;
  }

  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i)
      std::swap(items[i - 1], items[static_cast<std::size_t>(integer(0, static_cast<int>(i) - 1))]);
  }

 private:
  std::mt19937_64 engine_;
  double spare_ = 0;
  bool has_spare_ = false;
};

/// In [0, 1), the same for the same whole numbers.
inline double hash_unit(std::int64_t a, std::int64_t b, std::uint64_t salt) {
  const std::uint64_t mixed = scramble(static_cast<std::uint64_t>(a) * 0x8da6b343ULL +
                                       scramble(static_cast<std::uint64_t>(b) + (salt << 40)));
  return static_cast<double>(mixed >> 11) * 0x1.0p-53;
}

/// Smooth value noise in [0, 1): what makes crowns lumpy and lawns uneven, without a state.
inline double value_noise(double x, double y, double scale_m, std::uint64_t salt) {
  const double fx = std::floor(x / scale_m), fy = std::floor(y / scale_m);
  const double tx = x / scale_m - fx, ty = y / scale_m - fy;
  const double sx = tx * tx * (3 - 2 * tx), sy = ty * ty * (3 - 2 * ty);
  const auto ix = static_cast<std::int64_t>(fx), iy = static_cast<std::int64_t>(fy);
  const double south = hash_unit(ix, iy, salt) * (1 - sx) + hash_unit(ix + 1, iy, salt) * sx;
  const double north = hash_unit(ix, iy + 1, salt) * (1 - sx) + hash_unit(ix + 1, iy + 1, salt) * sx;
  return south * (1 - sy) + north * sy;
}

}  // namespace geo::sample
