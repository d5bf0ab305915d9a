#include "geo/offices/outline_writer.hpp"

#include <gdal_priv.h>
#include <ogrsf_frmts.h>

#include "geo/offices/disk.hpp"

namespace geo::offices {
namespace {

constexpr std::size_t kInATransaction = 65'536;
constexpr std::uint64_t kMore = 64ULL << 20U;  // bytes, more than a transaction's

}  // namespace

Result<OutlineWriter> OutlineWriter::create(const std::filesystem::path& path, const std::string& crs) {
  const GdalErrors unheard;
  OGRSpatialReference system;
  if (system.SetFromUserInput(crs.c_str()) != OGRERR_NONE)
    return fail(FailureKind::invalid_input, crs + " is not a coordinate reference system that is known");
  system.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  OutlineWriter writer(path);
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GPKG");
  writer.dataset_ =
      DatasetHandle(driver ? driver->Create(path.c_str(), 0, 0, 0, GDT_Unknown, nullptr) : nullptr);
  if (writer.dataset_)
    writer.layer_ = writer.dataset_->CreateLayer("outlines", &system, wkbMultiPolygon, nullptr);
  if (!writer.layer_ || writer.dataset_->StartTransaction() != OGRERR_NONE) return writer.cannot_go_on();
  return writer;
}

OutlineWriter::~OutlineWriter() {
  const GdalErrors unheard;
  if (dataset_) dataset_->RollbackTransaction();
  dataset_.reset();
}

Result<void> OutlineWriter::add(const OGRGeometry& outline) {
  OGRFeature row(layer_->GetLayerDefn());
  if (row.SetGeometry(&outline) != OGRERR_NONE || layer_->CreateFeature(&row) != OGRERR_NONE)
    return cannot_go_on();
  if (++count_ % kInATransaction != 0) return {};
  if (dataset_->CommitTransaction() != OGRERR_NONE || dataset_->StartTransaction() != OGRERR_NONE)
    return cannot_go_on();
  return {};
}

Result<std::size_t> OutlineWriter::close() {
  const GdalErrors unheard;
  CPLErrorReset();
  const bool committed = dataset_->CommitTransaction() == OGRERR_NONE;
  dataset_.reset();  // the index is written now
  if (!committed || CPLGetLastErrorType() == CE_Failure) return cannot_go_on();
  return count_;
}

/// GDAL does not tell why. The index is written at the end, at once; as much again as is there suffices for
/// it.
tl::unexpected<Failure> OutlineWriter::cannot_go_on() {
  failed_ = true;
  std::error_code error;
  const auto there = std::filesystem::file_size(path_, error);
  return not_written(path_, error_of_writing(path_.parent_path(), (error ? 0 : there) + kMore));
}

}  // namespace geo::offices
