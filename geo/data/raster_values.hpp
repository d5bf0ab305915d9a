// How the numbers that a band stores become values: nodata, mask, scale, offset and the unit of heights.
#pragma once
#include <string>
#include <vector>

#include "geo/failure.hpp"

class GDALRasterBand;

namespace geo {

class RasterValues {
 public:
  /// Heights in metres; implausible ones (beyond -500..9000 m) are no data. `unit_m` holds where the band
  /// names no unit. invalid_input for a unit that is not known.
  static Result<RasterValues> heights(GDALRasterBand& band, double unit_m);
  /// Numbers as they are meant, whatever their unit.
  static RasterValues numbers(GDALRasterBand& band);

  /// Cells of the file, row after row; NaN for no data. False when they cannot be read.
  bool read(int col, int row, int width, int height, std::vector<double>& values) const;
  bool read(int col, int row, int width, int height, std::vector<float>& values) const;

 private:
  explicit RasterValues(GDALRasterBand& band);
  double meant(double stored) const;
  template <class Number>
  bool read_stored(int col, int row, int width, int height, std::vector<Number>& values) const;
  template <class Number>
  bool leave_out_masked(int col, int row, int width, int height, std::vector<Number>& values) const;

  GDALRasterBand* band_;
  bool has_nodata_ = false, masked_ = false;
  bool floats_ = false;  ///< stored as 32 bit floats
  double nodata_ = 0, scale_ = 1, offset_ = 0;
  double lowest_, highest_;
};

}  // namespace geo
