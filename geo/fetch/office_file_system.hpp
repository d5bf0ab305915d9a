// Office files for GDAL: /vsioffice/https://... is a data set's path like any other, read by window through
// one OfficeFiles of the process. GDAL's own /vsicurl/ keeps nothing on disk, paces nothing and retries
// little.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "geo/fetch/office_files.hpp"
#include "geo/run_control.hpp"

namespace geo {

inline constexpr const char* kOfficePrefix = "/vsioffice/";

/// Before this, and with null, opening such a path fails. At the program's start; later callers replace what
/// is used from the next opening on.
void serve_office_files(std::shared_ptr<OfficeFiles> files);

/// The state that a path's file is in, as far as it is known without asking: a data set that was opened in
/// this state may stay open. None for what is no such path, is not known, or is due to be asked for again.
std::optional<std::string> office_file_state(const std::string& path);

/// While it lives, this thread's reading of such paths ends early when `control` is cancelled.
class OfficeReading {
 public:
  explicit OfficeReading(const RunControl& control);
  ~OfficeReading();
  OfficeReading(const OfficeReading&) = delete;
  OfficeReading& operator=(const OfficeReading&) = delete;

 private:
  const RunControl* before_;
};

/// Of this thread's last failure in reading such a path, since it was forgotten: GdalErrors tells the reason
/// by it (geo/data/gdal.hpp).
std::optional<FetchFailure> last_office_failure();
void forget_office_failure();

}  // namespace geo
