// Gathers the houses of an import: brings their places to longitude and latitude, leaves out rows that are
// wrong, and tells what was left out. A row in a hundred may be wrong.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "geo/addresses/index.hpp"
#include "geo/data/coordinate_system.hpp"
#include "geo/failure.hpp"

namespace geo {

/// Reads the whole text as a number, with a point or a comma; false for anything else.
bool read_coordinate(std::string_view text, double& value);

class GatheredHouses {
 public:
  GatheredHouses() = default;

  /// A house of a row, its place in a system as OGR names it ("EPSG:25832"); east before north.
  void add(House house, double east, double north, const std::string& crs, std::size_t line);
  /// `why` continues a sentence that begins with the line: "has no number".
  void add_wrong(std::size_t line, std::string_view why);
  /// A row that is not meant to be read; `what` in the plural: "interpolated houses".
  void leave_out(const std::string& what) { ++left_out_[what]; }
  /// The rows that follow are of this file.
  void begin_file(const std::string& path);

  /// Whether so many rows are wrong that the rest need not be read.
  bool is_hopeless() const;
  /// After the last row: a sentence for the operator. invalid_input, with the first wrong row, when more than
  /// a row in a hundred is wrong or there is no house.
  Result<std::string> finish(const char* encoding);
  AddressIndexBuilder& index() { return index_; }
  std::size_t rows() const { return rows_; }

 private:
  struct Placed {
    House house;
    std::size_t line;
  };
  /// Houses whose places are still in their own system: PROJ is asked for many at once.
  struct Waiting {
    TransformationHandle to_wgs84;
    std::vector<Placed> houses;
    std::vector<double> east, north;
  };
  void transform(Waiting& waiting);
  void take(Placed& placed);
  std::string fault() const;

  AddressIndexBuilder index_;
  std::map<std::string, Waiting, std::less<>> waiting_;  // by system
  std::map<std::string, std::size_t> left_out_;
  std::string path_, first_wrong_, first_wrong_path_;
  std::size_t first_wrong_line_ = 0;
  std::size_t rows_ = 0, wrong_ = 0;
};

}  // namespace geo
