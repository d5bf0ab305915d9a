// What the accuracy benchmark says: a line a scene, a verdict a target, JSON, and histograms of the errors as
// SVG.
#pragma once
#include <string>
#include <vector>

#include "benchmarks/geo/accuracy_budget.hpp"
#include "benchmarks/geo/accuracy_layout.hpp"
#include "benchmarks/geo/accuracy_score.hpp"

namespace bench {

struct Verdict {
  std::string what, figure, target;
  bool met = false;
};

struct Report {
  std::vector<Score> scenes;
  Score with, without;      ///< all sample scenes with footprints, all without
  Score delft, bare_delft;  ///< with footprints and without; empty when absent
  LayoutCheck layout;
  Budget with_budget, without_budget;
};

void print_head();
void print(const Score& score);
std::vector<Verdict> verdicts(const Report& report);
/// False when there are no verdicts.
bool all_met(const std::vector<Verdict>& verdicts);
void print(const std::vector<Verdict>& verdicts);
void write_json(const std::string& path, const Report& report, const std::vector<Verdict>& verdicts);
/// Tilt, azimuth, area and overlap of outlines, one SVG each, into a folder.
void write_histograms(const std::string& folder, const Report& report);

}  // namespace bench
