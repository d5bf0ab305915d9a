#include "geo/data/raster_values.hpp"

#include <gdal_priv.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

namespace geo {
namespace {

constexpr double kLowest_m = -500, kHighest_m = 9000;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

struct Unit {
  const char* name;
  double metres;
};
constexpr double kFoot_m = 0.3048, kSurveyFoot_m = 1200.0 / 3937;
constexpr std::array<Unit, 23> kUnits{{{"m", 1},
                                       {"metre", 1},
                                       {"metres", 1},
                                       {"meter", 1},
                                       {"meters", 1},
                                       {"dm", 0.1},
                                       {"decimetre", 0.1},
                                       {"decimeter", 0.1},
                                       {"cm", 0.01},
                                       {"centimetre", 0.01},
                                       {"centimeter", 0.01},
                                       {"mm", 0.001},
                                       {"millimetre", 0.001},
                                       {"millimeter", 0.001},
                                       {"ft", kFoot_m},
                                       {"foot", kFoot_m},
                                       {"feet", kFoot_m},
                                       {"international foot", kFoot_m},
                                       {"us-ft", kSurveyFoot_m},
                                       {"ft-us", kSurveyFoot_m},
                                       {"sfoot", kSurveyFoot_m},
                                       {"us survey foot", kSurveyFoot_m},
                                       {"foot_us", kSurveyFoot_m}}};

std::optional<double> metres_of(const std::string& unit) {
  const auto* const known = std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& candidate) {
    return EQUAL(candidate.name, unit.c_str());
  });
  return known == kUnits.end() ? std::nullopt : std::optional(known->metres);
}

/// A float's nodata is often written with more digits than the cells have.
bool same_number(double a, double b) {
  if (a == b) return true;
  constexpr double kMost = std::numeric_limits<float>::max();
  return std::abs(a) <= kMost && std::abs(b) <= kMost && static_cast<float>(a) == static_cast<float>(b);
}

const char* driver_of(GDALRasterBand& band) {
  GDALDataset* dataset = band.GetDataset();
  return dataset && dataset->GetDriver() ? dataset->GetDriver()->GetDescription() : "";
}

}  // namespace

RasterValues::RasterValues(GDALRasterBand& band)
    : band_(&band), lowest_(-std::numeric_limits<double>::max()), highest_(-lowest_) {
  int has = 0;
  nodata_ = band.GetNoDataValue(&has);
  has_nodata_ = has != 0;
  // A VRT computes with the numbers that it is asked for: floats would round its scales otherwise.
  floats_ = band.GetRasterDataType() == GDT_Float32 && !EQUAL(driver_of(band), "VRT");
  scale_ = band.GetScale(&has);
  if (!has) scale_ = 1;
  offset_ = band.GetOffset(&has);
  if (!has) offset_ = 0;
  const int mask = band.GetMaskFlags();
  masked_ = (mask & (GMF_PER_DATASET | GMF_ALPHA)) != 0 && (mask & (GMF_NODATA | GMF_ALL_VALID)) == 0;
}

RasterValues RasterValues::numbers(GDALRasterBand& band) { return RasterValues(band); }

Result<RasterValues> RasterValues::heights(GDALRasterBand& band, double unit_m) {
  RasterValues values(band);
  if (band.GetRasterDataType() == GDT_Byte && values.scale_ == 1)
    return fail(FailureKind::invalid_input,
                "it has 8 bits a cell, as a shaded picture has; heights are Float32 or Int16");
  const std::string unit = band.GetUnitType();
  if (const auto metres = unit.empty() ? std::optional(unit_m) : metres_of(unit)) {
    values.scale_ *= *metres;
    values.offset_ *= *metres;
  } else {
    return fail(FailureKind::invalid_input,
                "its heights are in \"" + unit + "\", which is no known unit of length");
  }
  values.lowest_ = kLowest_m;
  values.highest_ = kHighest_m;
  return values;
}

double RasterValues::meant(double stored) const {
  const double value = stored * scale_ + offset_;
  if (!(value > lowest_ && value < highest_)) return kNone;
  return has_nodata_ && same_number(stored, nodata_) ? kNone : value;
}

template <class Number>
bool RasterValues::read_stored(int col, int row, int width, int height, std::vector<Number>& values) const {
  values.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  return band_->RasterIO(GF_Read, col, row, width, height, values.data(), width, height,
                         std::is_same_v<Number, float> ? GDT_Float32 : GDT_Float64, 0, 0, nullptr) == CE_None;
}

template <class Number>
bool RasterValues::leave_out_masked(int col, int row, int width, int height,
                                    std::vector<Number>& values) const {
  if (!masked_) return true;
  std::vector<GByte> valid(values.size());
  if (band_->GetMaskBand()->RasterIO(GF_Read, col, row, width, height, valid.data(), width, height, GDT_Byte,
                                     0, 0, nullptr) != CE_None)
    return false;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (valid[i] == 0) values[i] = std::numeric_limits<Number>::quiet_NaN();
  return true;
}

bool RasterValues::read(int col, int row, int width, int height, std::vector<double>& values) const {
  if (!read_stored(col, row, width, height, values)) return false;
  std::transform(values.begin(), values.end(), values.begin(),
                 [this](double stored) { return meant(stored); });
  return leave_out_masked(col, row, width, height, values);
}

bool RasterValues::read(int col, int row, int width, int height, std::vector<float>& values) const {
  if (!floats_ || scale_ != 1 || offset_ != 0) {
    std::vector<double> wide;
    if (!read(col, row, width, height, wide)) return false;
    values.resize(wide.size());
    std::transform(wide.begin(), wide.end(), values.begin(), [](double z) { return static_cast<float>(z); });
    return true;
  }
  if (!read_stored(col, row, width, height, values)) return false;
  // The same as meant(), in a loop that the compiler can make vectors of. No float equals a nodata value that
  // is beyond floats.
  const bool has_nodata = has_nodata_ && std::abs(nodata_) <= std::numeric_limits<float>::max();
  const float nodata = has_nodata ? static_cast<float>(nodata_) : std::numeric_limits<float>::quiet_NaN();
  constexpr float kNoValue = std::numeric_limits<float>::quiet_NaN();
  for (float& z : values) z = z > lowest_ && z < highest_ && z != nodata ? z : kNoValue;
  return leave_out_masked(col, row, width, height, values);
}

}  // namespace geo
