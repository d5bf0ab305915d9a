// A GeoPackage of outlines while it is made: one layer of multi-polygons without columns, with a spatial
// index. No outline that it has taken is lost without a word: what cannot be written fails, as not_written()
// says (disk.hpp).
#pragma once
#include <cstddef>
#include <filesystem>
#include <string>

#include "geo/data/gdal.hpp"
#include "geo/failure.hpp"

class OGRGeometry;
class OGRLayer;

namespace geo::offices {

class OutlineWriter {
 public:
  /// `crs`: anything that OGR understands.
  static Result<OutlineWriter> create(const std::filesystem::path& path, const std::string& crs);
  OutlineWriter(OutlineWriter&&) noexcept = default;
  OutlineWriter& operator=(OutlineWriter&&) = delete;
  ~OutlineWriter();  ///< what was not closed is no file of outlines

  /// In the file's system.
  Result<void> add(const OGRGeometry& outline);
  /// How many it holds, once all of them and their index are written.
  Result<std::size_t> close();
  /// What went wrong was the file that is written, not what should be written into it.
  bool failed() const { return failed_; }

 private:
  explicit OutlineWriter(std::filesystem::path path) : path_(std::move(path)) {}
  tl::unexpected<Failure> cannot_go_on();
  std::filesystem::path path_;
  DatasetHandle dataset_;
  OGRLayer* layer_ = nullptr;
  std::size_t count_ = 0;
  bool failed_ = false;
};

}  // namespace geo::offices
