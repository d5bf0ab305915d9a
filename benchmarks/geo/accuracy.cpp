// bench_accuracy: how well roof detection finds what is there, as a table and as JSON.
//   bench_accuracy [JSON] [--pictures=DIR]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "benchmarks/geo/accuracy_picture.hpp"
#include "benchmarks/geo/accuracy_scene.hpp"
#include "geo/roof_detection.hpp"
#include "geo/roof_shapes.hpp"

using namespace bench;

static double at(std::vector<double> v, double q) {
  if (v.empty()) return NAN;
  std::sort(v.begin(), v.end());
  return v[static_cast<std::size_t>(q * static_cast<double>(v.size() - 1))];
}

int main(int argc, char** argv) {
  std::string pictures;
  for (int i = 1; i < argc; ++i)
    if (std::string a = argv[i]; a.rfind("--pictures=", 0) == 0) pictures = a.substr(11);
  const char* shared = std::getenv("ROOF_SHARED");
  auto scene = delft_scene(shared ? shared : "../shared");
  if (!scene) {
    std::printf("%s\n", scene.error().text.c_str());
    return 1;
  }
  geo::RunControl control;
  const auto start = std::chrono::steady_clock::now();
  const auto planes = geo::detect_roof_planes(scene->dsm, scene->terrain, scene->buildings, scene->frame, {}, control);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("%zu buildings, %zu planes, %.2f s\n", scene->buildings.size(), planes.size(), seconds);
  int found = 0, total = 0;
  std::vector<double> tilt, azimuth;
  std::vector<int> missed;
  for (std::size_t i = 0; i < scene->truth.size(); ++i) {
    const TruePlane& t = scene->truth[i];
    if (t.interior_cells < 10 || t.tilt_deg <= 10) continue;
    ++total;
    bool hit = false;
    for (const auto& p : planes) {
      if (!geo::contains(p.outline, t.at)) continue;
      const Eigen::Vector3d n1(-t.gx, -t.gy, 1), n2(-p.plane.gx, -p.plane.gy, 1);
      const double angle = std::acos(std::clamp(n1.normalized().dot(n2.normalized()), -1.0, 1.0)) * 180 / M_PI;
      if (angle > 10) continue;
      hit = true;
      const auto g = geo::true_gradient(p.plane, scene->frame.true_per_map());
      tilt.push_back(std::abs(geo::tilt_deg(g) - t.tilt_deg));
      azimuth.push_back(std::abs(std::remainder(geo::azimuth_deg(g) - t.azimuth_deg, 360)));
      break;
    }
    found += hit;
    if (!hit) missed.push_back(static_cast<int>(i));
  }
  std::printf("found %d of %d = %.1f%%; tilt %.2f / %.2f azimuth %.2f / %.2f\n", found, total, 100.0 * found / total, at(tilt, .5), at(tilt, .9), at(azimuth, .5), at(azimuth, .9));
  if (!pictures.empty()) {
    Picture picture(scene->dsm, 8);
    for (const auto& b : scene->buildings) picture.draw(b.footprint, {90, 90, 255});
    for (const auto& p : planes) {
      picture.draw(p.outline, {255, 230, 0}, 1);
      for (const auto& o : p.obstacles) picture.draw(o, {255, 0, 255});
    }
    for (const auto& t : scene->truth) picture.draw(t.at, {0, 255, 0});
    for (int i : missed) picture.number(scene->truth[static_cast<std::size_t>(i)].at, i, {255, 60, 60});
    picture.write(pictures + "/delft.png");
  }
}
