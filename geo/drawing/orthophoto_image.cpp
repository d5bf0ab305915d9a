#include "geo/drawing/orthophoto_image.hpp"

#include <cmath>

#include "geo/data/place_frame.hpp"
#include "geo/drawing/german_text.hpp"
#include "geo/drawing/image_codec.hpp"
#include "geo/drawing/picture_metadata.hpp"
#include "geo/drawing/scene_system.hpp"

namespace geo {
namespace {

constexpr int kOrthophotoQuality = 90;
constexpr const char* kTitle = "Luftbild des Grundstücks";

std::string place_text(LonLat place) {
  return plain_number(place.lon_deg, 7) + " " + plain_number(place.lat_deg, 7);
}

/// One line that a program can read back.
std::string georeference_text(const Georeference& where) {
  std::string text = "georeference: system " + where.system + "; transform";
  for (const double number : where.transform) text += " " + plain_number(number, 6);
  text += "; WGS84 corners (lon lat)";
  for (const LonLat& corner : where.corners) text += " " + place_text(corner) + ",";
  text.back() = '.';
  return text;
}

/// EXIF's degrees, minutes and seconds, as GDAL writes them.
std::string degrees_minutes_seconds(double degrees) {
  const double whole = std::floor(std::abs(degrees));
  const double minutes = std::floor((std::abs(degrees) - whole) * 60);
  const double seconds = ((std::abs(degrees) - whole) * 60 - minutes) * 60;
  return "(" + plain_number(whole, 0) + ") (" + plain_number(minutes, 0) + ") (" + plain_number(seconds, 4) +
         ")";
}

ImageItems exif_of(const PropertyScene& scene, const std::string& rights) {
  return {{"EXIF_ImageDescription", kTitle},
          {"EXIF_Copyright", rights},
          {"EXIF_Software", kPictureCreator},
          {"EXIF_GPSLatitude", degrees_minutes_seconds(scene.centre.lat_deg)},
          {"EXIF_GPSLatitudeRef", scene.centre.lat_deg < 0 ? "S" : "N"},
          {"EXIF_GPSLongitude", degrees_minutes_seconds(scene.centre.lon_deg)},
          {"EXIF_GPSLongitudeRef", scene.centre.lon_deg < 0 ? "W" : "E"},
          {"EXIF_GPSMapDatum", "WGS-84"}};
}

}  // namespace

Georeference georeference_of(const PropertyScene& scene) {
  const Box& area = scene.area;
  Georeference out{.system = scene_system(scene.centre)};
  out.transform = {area.min_x, (area.max_x - area.min_x) / scene.background.width_px,  0, area.max_y,
                   0,          -(area.max_y - area.min_y) / scene.background.height_px};
  const auto& t = out.transform;
  for (const double number : {t[1], t[4], t[2], t[5], t[0] + t[1] / 2, t[3] + t[5] / 2})
    out.world_file += plain_number(number, 8) + "\n";
  if (const auto frame = PlaceFrame::create(out.system, scene.centre))
    out.corners = {frame->to_lonlat({area.min_x, area.max_y}), frame->to_lonlat({area.max_x, area.max_y}),
                   frame->to_lonlat({area.max_x, area.min_y}), frame->to_lonlat({area.min_x, area.min_y})};
  return out;
}

Result<std::string> orthophoto_image(const PropertyScene& scene, OrthophotoFormat format) {
  if (scene.background.kind != BackgroundKind::orthophoto)
    return fail(FailureKind::data_unreachable, "no aerial image covers the property");
  const auto image = decode_image(scene.background.jpeg);
  if (!image) return tl::make_unexpected(image.error());
  std::vector<Source> photo;
  for (const Source& source : scene.sources)
    if (source.kind == name_of(DataKind::orthophoto)) photo.push_back(source);
  const std::string rights = attribution_line(photo);
  const std::string where = georeference_text(georeference_of(scene));
  if (format == OrthophotoFormat::png)
    return encode_png(*image, {{"TITLE", kTitle}, {"COPYRIGHT", rights}, {"COMMENT", where}});
  return encode_jpeg(*image, kOrthophotoQuality, exif_of(scene, rights),
                     {{"COMMENT", rights + "\n" + where}});
}

}  // namespace geo
