#include "geo/sample_region/terrain_model.hpp"

#include <gdal_alg.h>
#include <gdal_priv.h>

#include "geo/data/gdal.hpp"

namespace geo::sample {
namespace {

constexpr double kSearch_m = 60;
constexpr int kSmoothings = 2;
constexpr double kNoise_m = 0.03;
constexpr float kHole = -9999;

}  // namespace

Result<Grid<float>> terrain_model(const Grid<CellReturns>& ground, Random random) {
  Grid<float> out = ground.like<float>(kHole);
  for (std::size_t i = 0; i < out.values.size(); ++i)
    if (ground.values[i].count() > 0)
      out.values[i] = static_cast<float>(ground.values[i].levelled(ground.cell_m) + random.normal(kNoise_m));
  register_gdal_drivers();
  GDALDriver* memory = GetGDALDriverManager()->GetDriverByName("MEM");
  if (!memory) return fail(FailureKind::internal, "GDAL has no MEM driver");
  DatasetHandle work(memory->Create("", out.width, out.height, 1, GDT_Float32, nullptr));
  if (!work) return fail(FailureKind::internal, "no memory for the terrain model");
  GDALRasterBand* band = work->GetRasterBand(1);
  band->SetNoDataValue(kHole);
  auto transfer = [&](GDALRWFlag way) {
    return band->RasterIO(way, 0, 0, out.width, out.height, out.values.data(), out.width, out.height,
                          GDT_Float32, 0, 0, nullptr);
  };
  if (transfer(GF_Write) != CE_None ||
      GDALFillNodata(band, nullptr, kSearch_m / out.cell_m, 0, kSmoothings, nullptr, nullptr, nullptr) !=
          CE_None ||
      transfer(GF_Read) != CE_None)
    return fail(FailureKind::internal, "the terrain below the houses cannot be interpolated");
  for (float& z : out.values)
    if (z == kHole) z = kNoData;
  return out;
}

}  // namespace geo::sample
