// The height models of one kind around a place: the one that serves it, and its neighbours, which give the
// cells that it lacks, so that a roof across two tiles is read whole.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "geo/data/catalogue.hpp"
#include "geo/data/file_state.hpp"
#include "geo/failure.hpp"
#include "geo/grid/grid.hpp"
#include "geo/run_control.hpp"

namespace geo {

/// Finer cells hold nothing but an image matcher's noise: they are averaged to this size.
inline constexpr double kFinestCell_m = 0.5;
/// Surface models with cells of this size or larger are refused: a roof would have too few cells.
inline constexpr double kTooCoarse_m = 4.9;

/// A model whose cells are in a window.
struct UsedModel {
  const DataSet* set;
  std::vector<int> years;  ///< of its files that were read; that of the place's own file first
};

struct HeightWindow {
  Grid<float> heights;                            ///< empty: no model covers any of it
  std::vector<UsedModel> used;                    ///< the serving one first
  std::vector<std::optional<FileState>> tiles{};  ///< whose cells were read; none where nobody tells it
};

class HeightModels {
 public:
  /// The serving one is the first by the catalogue's order that has heights at the place. Only models of the
  /// same height system complete each other, where they state one. Fails as reading them does; no_roof when
  /// all surface models there are too coarse.
  static Result<HeightModels> around(const Catalogue& catalogue, DataKind kind, LonLat place,
                                     const RunControl& control);

  bool empty() const { return sets_.empty(); }
  const DataSet& serving() const { return *sets_.front(); }
  /// The serving one first.
  const std::vector<const DataSet*>& sets() const { return sets_; }
  /// The system in which a run works: the serving model's own where that is in metres, else the place's UTM
  /// zone.
  std::string working_system() const;

  /// Cells in the system `crs` that touch `window`, those of the serving model where it has the same system.
  /// Cells finer than `smallest_m` are averaged to that size.
  Result<HeightWindow> read(const std::string& crs, const Box& window, double smallest_m,
                            const RunControl& control) const;

 private:
  std::vector<const DataSet*> sets_;
  LonLat place_;
};

}  // namespace geo
