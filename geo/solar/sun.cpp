#include "geo/solar/sun.hpp"

#include <cmath>

#include "geo/shapes/angle.hpp"

namespace geo {
namespace {

constexpr double kJ2000 = 2451545.0;

double wrapped(double angle, double full_turn) {
  angle = std::fmod(angle, full_turn);
  return angle < 0 ? angle + full_turn : angle;
}

}  // namespace

double julian_day(int year, int month, int day, double hour_utc) {
  // Count from March, so that the leap day is the last of its year.
  const int before_march = month <= 2 ? 1 : 0;
  const int y = year - before_march;
  const int m = month + 12 * before_march;
  const int gregorian = 2 - y / 100 + y / 400;
  return std::floor(365.25 * (y + 4716)) + std::floor(30.6001 * (m + 1)) + day + gregorian - 1524.5 +
         hour_utc / 24;
}

SunCoordinates sun_coordinates(double julian_day) {
  const double n = julian_day - kJ2000;
  const double mean_longitude_deg = wrapped(280.460 + 0.9856474 * n, 360);
  const double anomaly = wrapped(357.528 + 0.9856003 * n, 360) * kDegree;
  const double ecliptic =
      (mean_longitude_deg + 1.915 * std::sin(anomaly) + 0.020 * std::sin(2 * anomaly)) * kDegree;
  const double obliquity = (23.439 - 0.0000004 * n) * kDegree;

  SunCoordinates sun;
  sun.right_ascension_deg =
      wrapped(std::atan2(std::cos(obliquity) * std::sin(ecliptic), std::cos(ecliptic)) / kDegree, 360);
  sun.declination_deg = std::asin(std::sin(obliquity) * std::sin(ecliptic)) / kDegree;
  sun.distance_au = 1.00014 - 0.01671 * std::cos(anomaly) - 0.00014 * std::cos(2 * anomaly);
  return sun;
}

SunPosition sun_position(LonLat place, double julian_day) {
  return SunFrom(place).position(sun_moment(julian_day));
}

SunMoment sun_moment(double julian_day) {
  const SunCoordinates sun = sun_coordinates(julian_day);
  const double n = julian_day - kJ2000;
  const double hour_utc = wrapped(julian_day - 0.5, 1) * 24;
  return {.right_ascension_deg = sun.right_ascension_deg,
          .sin_declination = std::sin(sun.declination_deg * kDegree),
          .cos_declination = std::cos(sun.declination_deg * kDegree),
          // Michalsky's n counts days at the moment itself, so the hour enters the sidereal time once more.
          .sidereal_hours = wrapped(6.697375 + 0.0657098242 * n + hour_utc, 24),
          .distance_au = sun.distance_au};
}

SunFrom::SunFrom(LonLat place)
    : lon_deg_(place.lon_deg),
      sin_latitude_(std::sin(place.lat_deg * kDegree)),
      cos_latitude_(std::cos(place.lat_deg * kDegree)) {}

double SunFrom::hour_angle(const SunMoment& moment) const {
  return (moment.sidereal_hours * 15 + lon_deg_ - moment.right_ascension_deg) * kDegree;
}

double SunFrom::sin_elevation(const SunMoment& moment) const {
  return moment.sin_declination * sin_latitude_ +
         moment.cos_declination * cos_latitude_ * std::cos(hour_angle(moment));
}

SunPosition SunFrom::position(const SunMoment& moment) const {
  const double angle = hour_angle(moment), sin_angle = std::sin(angle), cos_angle = std::cos(angle);
  const double up =
      moment.sin_declination * sin_latitude_ + moment.cos_declination * cos_latitude_ * cos_angle;
  const double west = moment.cos_declination * sin_angle;
  const double south =
      moment.cos_declination * sin_latitude_ * cos_angle - moment.sin_declination * cos_latitude_;
  SunPosition position;
  position.elevation_deg = std::atan2(up, std::hypot(south, west)) / kDegree;
  position.azimuth_deg = std::atan2(west, south) / kDegree;
  if (position.azimuth_deg <= -180) position.azimuth_deg += 360;
  position.distance_au = moment.distance_au;
  return position;
}

double refraction_deg(double geometric_elevation_deg) {
  const double h = geometric_elevation_deg;
  if (h < -1) return 0;
  return 1.02 / 60 / std::tan((h + 10.3 / (h + 5.11)) * kDegree);
}

}  // namespace geo
