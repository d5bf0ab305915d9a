// Where the sun stands. Method: Michalsky, J. J. (1988), "The Astronomical Almanac's algorithm for
// approximate solar position (1950-2050)", Solar Energy 40(3): 0.01 degrees, which is a fiftieth of the sun's
// disc. Degrees; azimuth as in the contract (south 0, east negative, west positive, from true north).
#pragma once
#include "geo/shapes/shapes.hpp"

namespace geo {

/// Julian date in days, UTC, of a Gregorian date from 1950 to 2050.
double julian_day(int year, int month, int day, double hour_utc);

/// Apparent equatorial coordinates and the distance.
struct SunCoordinates {
  double right_ascension_deg = 0;  ///< [0, 360)
  double declination_deg = 0;
  double distance_au = 1;
};
SunCoordinates sun_coordinates(double julian_day);

struct SunPosition {
  double elevation_deg = 0;  ///< geometric, of the disc's centre, without refraction
  double azimuth_deg = 0;    ///< in (-180, 180]
  double distance_au = 1;
};
SunPosition sun_position(LonLat place, double julian_day);

/// What of a moment is the same for every place.
struct SunMoment {
  double right_ascension_deg = 0;
  double sin_declination = 0, cos_declination = 1;
  double sidereal_hours = 0;  ///< in Greenwich
  double distance_au = 1;
};
SunMoment sun_moment(double julian_day);

/// The sun as one place sees it, for who asks for many moments.
class SunFrom {
 public:
  explicit SunFrom(LonLat place);

  /// Sine of the geometric elevation: tells day from night at a third of the position's cost.
  double sin_elevation(const SunMoment& moment) const;
  SunPosition position(const SunMoment& moment) const;

 private:
  double hour_angle(const SunMoment& moment) const;

  double lon_deg_, sin_latitude_, cos_latitude_;
};

/// How much the air lifts a body at a geometric elevation: Saemundsson (1986), at 1010 hPa and 10 C. 0 below
/// -1 degree, where the formula ends and nothing is seen.
double refraction_deg(double geometric_elevation_deg);

}  // namespace geo
