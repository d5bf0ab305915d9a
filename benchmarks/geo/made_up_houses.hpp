// Houses of a made-up country with the name statistics of a real one: a few large towns and many small ones,
// streets like Hauptstraße in thousands of towns beside many that only one has, and postcodes that two thirds
// of the registers do not have (as in Germany, where seven Länder publish them).
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <unordered_set>
#include <vector>

#include "geo/addresses/house.hpp"

class MadeUpHouses {
 public:
  explicit MadeUpHouses(std::size_t houses, unsigned seed = 1) : random_(seed), houses_(houses) {
    constexpr std::size_t kOftenUsed = 3'000, kSometimesUsed = 60'000;
    often_ = {"Hauptstraße",  "Dorfstraße", "Schulstraße", "Bahnhofstraße", "Gartenstraße", "Bergstraße",
              "Lindenstraße", "Birkenweg",  "Kirchstraße", "Waldstraße",    "Ringstraße",   "Schillerstraße"};
    while (often_.size() < kOftenUsed) often_.push_back(street_name());
    while (sometimes_.size() < kSometimesUsed) sometimes_.push_back(street_name());
  }

  /// Calls `take` for every house, town by town and street by street, as registers have them.
  template <class Take>
  void each(const Take& take) {
    const std::size_t towns = std::max<std::size_t>(1, houses_ / 2'100);
    double weights = 0;
    for (std::size_t rank = 0; rank < towns; ++rank) weights += weight_of(rank);
    std::size_t left = houses_;
    for (std::size_t rank = 0; rank < towns && left > 0; ++rank) {
      const auto size =
          static_cast<std::size_t>(static_cast<double>(houses_) * weight_of(rank) / weights) + 1;
      town(rank + 1 == towns ? left : std::min(left, size), take);
      left -= rank + 1 == towns ? left : std::min(left, size);
    }
  }

 private:
  static double weight_of(std::size_t rank) { return std::pow(static_cast<double>(rank) + 10, -0.9); }
  unsigned one_of(std::size_t count) { return static_cast<unsigned>(random_() % count); }

  std::string stem() {
    static const char* const parts[] = {"al",    "ber",  "ten",   "hof", "mühl", "bach", "ober",  "unter",
                                        "stein", "wald", "kirch", "lin", "den",  "feld", "ro",    "sen",
                                        "gar",   "ei",   "chen",  "wie", "sel",  "burg", "schul", "ha",
                                        "sch",   "neu",  "grün",  "hei", "de",   "ma"};
    std::string text;
    for (unsigned i = 0, count = 2 + one_of(3); i < count; ++i) text += parts[one_of(std::size(parts))];
    if (text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
  }
  std::string street_name() {
    static const char* const ends[] = {"straße", "gasse", "weg",       "platz",
                                       "allee",  "ring",  "er Straße", "winkel"};
    static const char* const begins[] = {"Am ", "An der ", "Im ", "Auf dem ", "Zum "};
    const unsigned form = one_of(10);
    return form == 0 ? begins[one_of(std::size(begins))] + stem() : stem() + ends[one_of(std::size(ends))];
  }
  std::string town_name() {
    static const char* const behind[] = {" am Main", " an der Elbe", " im Breisgau", " (Westf)", "-Land"};
    static const char* const before[] = {"Bad ", "Sankt ", "Neu "};
    std::string name = stem() + (one_of(2) ? "ingen" : one_of(2) ? "dorf" : "");
    if (one_of(20) == 0) name = before[one_of(std::size(before))] + name;
    if (one_of(20) == 0) name += behind[one_of(std::size(behind))];
    return name;
  }
  /// Of many in a list, the first by far the most often (Zipf).
  const std::string& frequent(const std::vector<std::string>& names) {
    const double uniform = std::uniform_real_distribution<>(0, 1)(random_);
    const auto rank = static_cast<std::size_t>(std::pow(static_cast<double>(names.size()), uniform)) - 1;
    return names[std::min(rank, names.size() - 1)];
  }
  /// One that the town does not have yet; of fifty one is there twice, as in municipalities of several
  /// villages.
  std::string street_of_town(std::unordered_set<std::string>& known) {
    for (int tries = 0; tries < 20; ++tries) {
      const unsigned kind = one_of(100);
      std::string name = kind < 45   ? frequent(often_)
                         : kind < 70 ? sometimes_[one_of(sometimes_.size())]
                                     : street_name();
      if (known.insert(name).second || one_of(50) == 0) return name;
    }
    return street_name();
  }

  template <class Take>
  void town(std::size_t houses, const Take& take) {
    const geo::LonLat middle{6 + std::uniform_real_distribution<>(0, 8.5)(random_),
                             47.5 + std::uniform_real_distribution<>(0, 7)(random_)};
    const double radius_deg = 0.0006 * std::sqrt(static_cast<double>(houses));
    const bool has_postcodes = one_of(100) < 35;
    geo::House house;
    house.town = town_name();
    house.country = "DE";
    const std::string district = town_name();
    std::unordered_set<std::string> streets;
    std::size_t in_postcode = 0;
    unsigned postcode = 10'000 + one_of(89'000);
    while (houses > 0) {
      house.street = street_of_town(streets);
      house.also_in.clear();
      if (one_of(3) == 0) house.also_in.push_back(district);
      const std::size_t count = std::min<std::size_t>(houses, 4 + one_of(28));
      if ((in_postcode += count) > 8'000) in_postcode = 0, ++postcode;
      house.postcode = has_postcodes ? std::to_string(postcode) : std::string();
      const geo::LonLat begin{
          middle.lon_deg + std::uniform_real_distribution<>(-1.5, 1.5)(random_) * radius_deg,
          middle.lat_deg + std::uniform_real_distribution<>(-1, 1)(random_) * radius_deg};
      for (std::size_t i = 0; i < count; ++i) {
        house.number = std::to_string(1 + i);
        if (one_of(8) == 0) house.number += static_cast<char>('a' + one_of(4));
        house.place = {begin.lon_deg + static_cast<double>(i) * 0.0002, begin.lat_deg + one_of(100) * 1e-6};
        take(house);
      }
      houses -= count;
    }
  }

  std::mt19937 random_;
  std::size_t houses_;
  std::vector<std::string> often_, sometimes_;
};
