// How well the roofs of building models are found in surveys made of them: by width and size, with footprints
// and without, and whether the house of an address is the one that is answered.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "benchmarks/geo/accuracy_report.hpp"
#include "benchmarks/geo/accuracy_score.hpp"
#include "benchmarks/geo/accuracy_survey.hpp"

namespace bench {

/// True surfaces of one class, and those of them that were found.
struct ClassCount {
  int all = 0, found = 0;
  void add(const ClassCount& o) { all += o.all, found += o.found; }
};

inline constexpr std::array<double, 3> kWidths_m{2, 3, 5};     ///< mean widths between the classes
inline constexpr std::array<double, 3> kAreas_m2{15, 25, 50};  ///< in plan

/// What runs for single addresses without footprints answer.
struct AskedHouses {
  int answered = 0, refused = 0, another = 0;
  std::vector<double> seconds;
  double own_m2 = 0, others_m2 = 0;  ///< of the surfaces in answers: on the asked house, on other houses
  void add(const AskedHouses& o);
};

struct RealScore {
  Score score;
  Budget budget;
  std::array<ClassCount, 4> by_width, by_area;
  int slivers = 0;  ///< surfaces that match nothing, most of whose cells a wall or an eave cuts
  AskedHouses asked;
  void add(const RealScore& o);
};

/// A model with one survey, or several together.
struct RealSet {
  std::string name;
  Cells cells = Cells::linear;
  RealScore with, without;
};

struct RealOptions {
  bool footprints = true, heights = true, details = false;
  int addresses = 40;  ///< asked of each survey
  std::string pictures;
};

geo::Result<RealSet> measured(const BuildingModel& model, const Survey& survey, const RealOptions& options);

void print_real_head();
void print(const RealSet& set);
/// One set a model and kind of cells.
std::vector<Verdict> real_verdicts(const std::vector<RealSet>& sets);

}  // namespace bench
