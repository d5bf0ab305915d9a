#include "geo/drawing/image_codec.hpp"

#include <cpl_string.h>
#include <cpl_vsi.h>
#include <gdal_priv.h>

#include <atomic>
#include <cmath>

#include "geo/data/gdal.hpp"

namespace geo {
namespace {

/// A file in GDAL's memory under a name of its own; gone with the object.
class MemoryFile {
 public:
  explicit MemoryFile(const char* ending) {
    static std::atomic<std::uint64_t> count{0};
    name_ = "/vsimem/roof_drawing/" + std::to_string(count++) + ending;
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { VSIUnlink(name_.c_str()); }

  const char* name() const { return name_.c_str(); }
  /// GDAL reads the caller's bytes; they must outlive the object.
  bool fill(std::string_view bytes) {
    auto* data = reinterpret_cast<GByte*>(const_cast<char*>(bytes.data()));
    VSILFILE* file = VSIFileFromMemBuffer(name(), data, bytes.size(), FALSE);
    return file != nullptr && VSIFCloseL(file) == 0;
  }
  std::string bytes() const {
    vsi_l_offset size = 0;
    const GByte* data = VSIGetMemFileBuffer(name(), &size, FALSE);
    return data ? std::string(reinterpret_cast<const char*>(data), size) : std::string();
  }

 private:
  std::string name_;
};

CPLStringList string_list(const ImageItems& items) {
  CPLStringList list;
  for (const auto& [name, value] : items) list.SetNameValue(name.c_str(), value.c_str());
  return list;
}

DatasetHandle in_memory(const RgbImage& image) {
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("MEM");
  DatasetHandle data(driver ? driver->Create("", image.width, image.height, 3, GDT_Byte, nullptr) : nullptr);
  if (!data) return nullptr;
  auto* pixels = const_cast<std::uint8_t*>(image.rgb.data());
  const bool written =
      data->RasterIO(GF_Write, 0, 0, image.width, image.height, pixels, image.width, image.height, GDT_Byte,
                     3, nullptr, 3, 3 * static_cast<GSpacing>(image.width), 1, nullptr) == CE_None;
  return written ? std::move(data) : nullptr;
}

Result<std::string> encode(const RgbImage& image, const char* driver_name, const char* ending,
                           const ImageItems& metadata, const ImageItems& driver_options) {
  register_gdal_drivers();
  const DatasetHandle source = in_memory(image);
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName(driver_name);
  if (!source || !driver) return fail(FailureKind::internal, "an image could not be prepared for writing");
  CPLStringList items = string_list(metadata);
  source->SetMetadata(items.List());
  const MemoryFile file(ending);
  CPLStringList options = string_list(driver_options);
  DatasetHandle(driver->CreateCopy(file.name(), source.get(), FALSE, options.List(), nullptr, nullptr))
      .reset();
  VSIUnlink((std::string(file.name()) + ".aux.xml").c_str());
  std::string bytes = file.bytes();
  if (bytes.empty()) return fail(FailureKind::internal, "an image could not be written");
  return bytes;
}

struct OpenImage {
  MemoryFile file{".img"};
  DatasetHandle data;
  bool open(std::string_view bytes) {
    register_gdal_drivers();
    static const char* const kDrivers[] = {"JPEG", "PNG", nullptr};
    if (file.fill(bytes)) data.reset(GDALDataset::Open(file.name(), GDAL_OF_RASTER, kDrivers));
    return data && data->GetRasterCount() >= 3;
  }
};

Result<RgbImage> read_part(GDALDataset& data, const PixelWindow& part, int width, int height) {
  RgbImage image{width, height, std::vector<std::uint8_t>(3 * static_cast<std::size_t>(width) * height)};
  GDALRasterIOExtraArg how;
  INIT_RASTERIO_EXTRA_ARG(how);
  how.eResampleAlg = width < part.width ? GRIORA_Average : GRIORA_Cubic;
  how.bFloatingPointWindowValidity = TRUE;
  how.dfXOff = part.left;
  how.dfYOff = part.top;
  how.dfXSize = part.width;
  how.dfYSize = part.height;
  const int left = static_cast<int>(std::floor(part.left));
  const int top = static_cast<int>(std::floor(part.top));
  const int right = std::min(data.GetRasterXSize(), static_cast<int>(std::ceil(part.left + part.width)));
  const int bottom = std::min(data.GetRasterYSize(), static_cast<int>(std::ceil(part.top + part.height)));
  if (data.RasterIO(GF_Read, left, top, right - left, bottom - top, image.rgb.data(), width, height, GDT_Byte,
                    3, nullptr, 3, 3 * static_cast<GSpacing>(width), 1, &how) != CE_None)
    return fail(FailureKind::internal, "a stored image could not be read");
  return image;
}

}  // namespace

Result<std::string> encode_jpeg(const RgbImage& image, int quality, const ImageItems& metadata,
                                const ImageItems& driver_options) {
  ImageItems options = driver_options;
  options.emplace_back("QUALITY", std::to_string(quality));
  return encode(image, "JPEG", ".jpg", metadata, options);
}

Result<std::string> encode_png(const RgbImage& image, const ImageItems& driver_options) {
  return encode(image, "PNG", ".png", {}, driver_options);
}

Result<RgbImage> decode_part(std::string_view bytes, const PixelWindow& part, int width, int height) {
  OpenImage image;
  if (!image.open(bytes)) return fail(FailureKind::internal, "a stored image is damaged");
  return read_part(*image.data, part, width, height);
}

Result<RgbImage> decode_image(std::string_view bytes) {
  OpenImage image;
  if (!image.open(bytes)) return fail(FailureKind::internal, "a stored image is damaged");
  const int width = image.data->GetRasterXSize();
  const int height = image.data->GetRasterYSize();
  return read_part(*image.data, {0, 0, static_cast<double>(width), static_cast<double>(height)}, width,
                   height);
}

}  // namespace geo
