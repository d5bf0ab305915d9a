// What an address costs in a large register: 100,000 street names, 1,000,000 houses, and among them a street
// that 5,000 towns have. The worst texts are 200 characters long, as long as the contract allows.
#include <benchmark/benchmark.h>

#include <cmath>
#include <random>

#include "geo/addresses/register.hpp"

namespace {

constexpr int kStreets = 100'000, kHouses = 1'000'000, kTowns = 5'000;

std::string name(std::mt19937& random) {
  static const char* const parts[] = {"al",    "ber",  "ten",   "hof", "mühl", "bach", "ober", "unter",
                                      "stein", "wald", "kirch", "lin", "den",  "feld", "ro",   "sen",
                                      "gar",   "ei",   "chen",  "wie", "sel",  "burg", "schul"};
  static const char* const ends[] = {"straße", "gasse", "weg", "platz", "allee", "ring"};
  std::string text;
  for (unsigned i = 0, count = 2 + random() % 4; i < count; ++i) text += parts[random() % std::size(parts)];
  return text + ends[random() % std::size(ends)];
}

const geo::AddressRegister& large_register() {
  static const geo::AddressRegister all([] {
    std::mt19937 random(1);
    std::vector<std::string> streets, towns;
    for (int i = 0; i < kStreets; ++i) streets.push_back(name(random));
    for (int i = 0; i < kTowns; ++i) towns.push_back("Ort" + name(random));
    std::vector<geo::House> houses;
    for (int i = 0; i < kHouses; ++i) {
      const int town = static_cast<int>(random() % kTowns);
      const bool common = i % 10 == 0;
      houses.push_back({common ? "Hauptstraße" : streets[random() % streets.size()],
                        std::to_string(1 + random() % 80),
                        std::to_string(10'000 + town),
                        towns[static_cast<std::size_t>(town)],
                        "DE",
                        {7.0 + town % 70 * 0.1, 48.0 + std::floor(town / 70.0) * 0.08}});
    }
    return geo::AddressRegister(houses);
  }());
  return all;
}

std::string repeated(const std::string& text) {
  std::string all;
  while (all.size() + text.size() <= 200) all += text;
  return all;
}

std::string random_words() {
  std::mt19937 random(5);
  std::string text;
  while (text.size() < 180) text += name(random).substr(0, 9) + " ";
  return text;
}

void find(benchmark::State& state, const std::string& text) {
  const auto& all = large_register();
  for (auto step : state) benchmark::DoNotOptimize(all.find(text));
}

void look_up(benchmark::State& state, const std::string& text) {
  const auto& all = large_register();
  for (auto step : state) benchmark::DoNotOptimize(all.look_up(geo::AddressText(text)));
}

BENCHMARK_CAPTURE(look_up, a_common_street_without_a_town, "Hauptstraße 5");
BENCHMARK_CAPTURE(find, a_common_street_without_a_town, "Hauptstraße 5");
BENCHMARK_CAPTURE(find, a_common_street_without_a_number, "Hauptstraße");
BENCHMARK_CAPTURE(find, a_typing_error, "Haubtstraße 5, 10007");
BENCHMARK_CAPTURE(find, fifty_short_words, repeated("auf "))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(find, twenty_misspelt_streets, random_words())->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(find, the_commonest_street_again_and_again, repeated("Hauptstraße 1 "))
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(find, the_commonest_syllables, repeated("straße gasse weg "))
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(find, the_commonest_syllables_in_a_word, repeated("berten"))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(find, a_hundred_numbers, repeated("1 "))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(look_up, the_commonest_street_again_and_again, repeated("Hauptstraße 1 "))
    ->Unit(benchmark::kMillisecond);

}  // namespace
