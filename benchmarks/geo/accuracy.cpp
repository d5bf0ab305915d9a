// bench_accuracy: how well roof detection finds what is there, as a table and as JSON.
//   bench_accuracy [JSON file] [--pictures=DIR] [--first-seed=N] [--seeds=N]
//                  [--addresses=N] [--cell-m=M] [--only=SCENE] [--details] [--quick]
//                  [--footprints-only | --heights-only] [--models=PATH] [--box=W,S,E,N] [--help]
//   bench_accuracy --part
// Real roofs (Delft's laser points, surveys of the building models in ROOF_SHARED) and sample regions in
// three coordinate systems, with and without footprints.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>

#include "benchmarks/geo/accuracy_layout.hpp"
#include "benchmarks/geo/accuracy_picture.hpp"
#include "benchmarks/geo/accuracy_real.hpp"
#include "benchmarks/geo/accuracy_report.hpp"
#include "benchmarks/geo/accuracy_scene.hpp"
#include "benchmarks/geo/accuracy_score.hpp"
#include "geo/roof/detection.hpp"
#include "geo/shapes/plane_geometry.hpp"

namespace {

using namespace bench;

constexpr int kSeeds = 12, kAddresses = 40;
constexpr int kMissed = 3;    // exit code
constexpr int kSkipped = 77;  // exit code: the models are not at hand
constexpr double kLargestHouse_m2 = 1000;

struct Arguments {
  std::string json, pictures;
  int first_seed = 1, seeds = kSeeds;
  int addresses = kAddresses;
  double cell_m = 1;
  std::string
      only;  ///< the one scene to run, like 2056-1, delft or "nrw mean"; samples or models for all of a kind
  std::string models;           ///< a building model's file or a folder of them, in place of the shared ones
  std::optional<geo::Box> box;  ///< of the models only the buildings within it, map metres
  bool details = false;
  bool part = false;             ///< a fixed part of each building model, held to what was reached before
  bool quick = false;            ///< one survey a model and kind of cells, and few addresses
  bool footprints_only = false;  ///< leaves out what is measured without footprints, two thirds of the time
  bool heights_only = false;     ///< leaves out what is measured with them

  /// Whether the run is large enough for a verdict. The figures of fewer surfaces scatter by more than the
  /// targets' margins.
  bool decides() const {
    return seeds >= kSeeds && addresses >= kAddresses && only.empty() && !quick && !footprints_only &&
           !heights_only;
  }
  bool runs(const std::string& kind, const std::string& scene) const {
    return only.empty() || only == kind || only == scene;
  }
};

void print_help() {
  std::printf(
      "bench_accuracy [JSON file] [options]: measures roof detection against truth\n"
      "  --pictures=DIR --first-seed=N --seeds=N (%d) --addresses=N (%d a seed) --cell-m=M\n"
      "  --only=SCENE (or delft, samples, models, \"nrw mean\") --details --footprints-only --heights-only\n"
      "  --part: alone; a fixed part of each building model, held to what was reached before (%d: it was "
      "not,\n"
      "    %d: there are no models)\n"
      "  --quick: one survey a building model and kind of cells, and few addresses\n"
      "  --models=FILE or FOLDER: on these building models alone (GeoPackage, CityJSON, CityGML LoD2)\n"
      "  --box=WEST,SOUTH,EAST,NORTH: with --models; only the buildings within it, map metres\n"
      "Exit code: 0; 1 when a scene cannot be made; %d when a target is missed. Targets decide only in a "
      "full\n"
      "run, of %d seeds and %d addresses or more with nothing left out: a smaller one scatters too much and\n"
      "ends with 0 whatever its verdicts say.\n",
      kSeeds, kAddresses, kMissed, kSkipped, kMissed, kSeeds, kAddresses);
}

geo::Box box_of(const std::string& text) {
  geo::Box box;
  char comma = 0;
  std::istringstream in(text);
  in >> box.min_x >> comma >> box.min_y >> comma >> box.max_x >> comma >> box.max_y;
  if (in && box.min_x < box.max_x && box.min_y < box.max_y) return box;
  std::fprintf(stderr, "--box=%s: not west,south,east,north\n", text.c_str());
  std::exit(2);
}

Arguments arguments(int argc, char** argv) {
  Arguments a;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    auto value = [&](const std::string& name) {
      return word.rfind(name, 0) == 0 ? word.substr(name.size()) : std::string();
    };
    if (auto v = value("--pictures="); !v.empty())
      a.pictures = v;
    else if (auto v = value("--seeds="); !v.empty())
      a.seeds = std::stoi(v);
    else if (auto v = value("--first-seed="); !v.empty())
      a.first_seed = std::stoi(v);
    else if (auto v = value("--addresses="); !v.empty())
      a.addresses = std::stoi(v);
    else if (auto v = value("--cell-m="); !v.empty())
      a.cell_m = std::stod(v);
    else if (auto v = value("--only="); !v.empty())
      a.only = v;
    else if (auto v = value("--models="); !v.empty())
      a.models = v;
    else if (auto v = value("--box="); !v.empty())
      a.box = box_of(v);
    else if (word == "--details")
      a.details = true;
    else if (word == "--part")
      a.part = true;
    else if (word == "--quick")
      a.quick = true;
    else if (word == "--footprints-only")
      a.footprints_only = true;
    else if (word == "--heights-only")
      a.heights_only = true;
    else if (word == "--help") {
      print_help();
      std::exit(0);
    } else if (word.starts_with("-")) {
      std::fprintf(stderr, "%s: no such option\n", word.c_str());
      std::exit(2);
    } else
      a.json = word;
  }
  if (!a.models.empty() && a.only.empty()) a.only = "models";
  if (a.box && a.models.empty()) {  // the shared models lie in different countries
    std::fprintf(stderr, "--box needs --models\n");
    std::exit(2);
  }
  return a;
}

geo::Grid<float> around_buildings(const Scene& scene) {
  const geo::Grid<float>& g = scene.dsm;
  geo::Ring all;
  for (const geo::Building& b : scene.buildings)
    all.insert(all.end(), b.footprint.outer.begin(), b.footprint.outer.end());
  const geo::Box box = geo::bounding_box(all).grown(8);
  const int col0 = std::max(0, g.col_of(box.min_x)), col1 = std::min(g.width, g.col_of(box.max_x) + 1);
  const int row0 = std::max(0, g.row_of(box.max_y)), row1 = std::min(g.height, g.row_of(box.min_y) + 1);
  geo::Grid<float> out(col1 - col0, row1 - row0, g.west + col0 * g.cell_m, g.north - row0 * g.cell_m,
                       g.cell_m);
  for (int row = row0; row < row1; ++row)
    for (int col = col0; col < col1; ++col) out.at(col - col0, row - row0) = g.at(col, row);
  return out;
}

/// The heights twice, side by side: the true outlines on the left, the found ones on the right.
void draw(const Scene& scene, const std::vector<geo::RoofPlane>& planes, const Score& score,
          const std::string& path) {
  const geo::Grid<float> once = around_buildings(scene);
  geo::Grid<float> twice(2 * once.width + 2, once.height, once.west, once.north, once.cell_m, geo::kNoData);
  const int aside = once.width + 2;
  for (int row = 0; row < once.height; ++row)
    for (int col = 0; col < once.width; ++col)
      twice.at(col, row) = twice.at(col + aside, row) = once.at(col, row);
  const geo::Point shift{aside * once.cell_m, 0};
  Picture picture(twice, 8);
  for (const TruePlane& t : scene.truth)
    if (!t.outline.outer.empty())
      picture.draw(t.outline, {0, 200, 0}, 0);
    else
      picture.draw(t.at, {0, 255, 0});
  for (const geo::Building& b : scene.buildings)
    picture.draw(geo::translated(b.footprint, shift), {90, 90, 255});
  for (const geo::RoofPlane& p : planes) {
    picture.draw(geo::translated(p.outline, shift), {255, 230, 0}, 1);
    for (const geo::Polygon& o : p.obstacles) picture.draw(geo::translated(o, shift), {255, 0, 255});
  }
  for (int i : score.missed) {
    const TruePlane& t = scene.truth[static_cast<std::size_t>(i)];
    picture.number(t.outline.outer.empty() ? t.at : t.outline.outer[0], i, {255, 60, 60});
  }
  for (int i : score.wrong)
    picture.number(planes[static_cast<std::size_t>(i)].outline.outer[0] + shift, i, {255, 160, 0});
  picture.write(path);
}

void print_details(const Scene& scene, const std::vector<geo::RoofPlane>& planes, const Score& score) {
  for (int i : score.missed) {
    const TruePlane& t = scene.truth[static_cast<std::size_t>(i)];
    const geo::Grid<float> drawn = around_buildings(scene);
    const geo::Point at = t.outline.outer.empty() ? t.at : t.outline.outer[0];
    std::printf(
        "    missed %d: building %d %s %.1f m2 tilt %.0f azimuth %.0f%s: %s, in the picture at %.0f %.0f\n",
        i, t.building, t.kind.c_str(), t.area_m2, t.tilt_deg, t.azimuth_deg,
        t.below_tree ? " below a tree" : "",
        t.outline.outer.empty() ? "" : name_of(cause_of_loss(scene, planes, t)), (at.x - drawn.west) * 8,
        (drawn.north - at.y) * 8);
    if (t.outline.outer.empty()) continue;
    const Miss why = explain_miss(scene, planes, t);
    std::printf(
        "      on buildings %.0f %%, on surfaces %.0f %%, best surface %d: IoU %.2f, normal off %.0f deg\n",
        100 * why.on_buildings, 100 * why.covered, why.best, why.iou, why.normal_deg);
  }
  for (int i : score.invented_surfaces) {
    const geo::Point at = planes[static_cast<std::size_t>(i)].outline.outer[0];
    const geo::Grid<float> drawn = around_buildings(scene);
    std::printf("    where no roof is: surface %d, in the picture at %.0f %.0f\n", i, (at.x - drawn.west) * 8,
                (drawn.north - at.y) * 8);
  }
  for (int i : score.wrong) {
    const geo::RoofPlane& p = planes[static_cast<std::size_t>(i)];
    std::printf("    wrong %d: building %d %.1f m2 cells %d residual %.2f coverage %.0f tilt %.0f: %s\n", i,
                p.building, geo::area(p.outline), p.fit.cells, p.fit.residual_m, p.fit.coverage_pct,
                geo::tilt_deg(geo::true_gradient(p.plane, scene.frame.true_per_map())),
                name_of(cause_of_error(scene, p)));
  }
}

/// `layout`, when given, gets the check of the modules on the first surfaces.
Score run(const Scene& scene, const Arguments& arguments, bool pictured, LayoutCheck* layout,
          Budget* causes) {
  const geo::RunControl control;
  const auto start = std::chrono::steady_clock::now();
  const auto planes = geo::detect_roof_planes(scene.dsm, scene.terrain, scene.buildings, scene.frame,
                                              scene.detection, control);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const bool by_points = !scene.truth.empty() && scene.truth[0].outline.outer.empty();
  Score s = by_points ? score_by_points(scene, planes) : score(scene, planes);
  s.seconds = seconds;
  print(s);
  if (causes) causes->add(budget(scene, planes, s));
  if (arguments.details) print_details(scene, planes, s);
  constexpr std::size_t kLaidOut = 20;
  if (layout && pictured) layout->add(check_layout(scene, planes, kLaidOut));
  if (pictured && !arguments.pictures.empty())
    draw(scene, planes, s, arguments.pictures + "/" + scene.name + ".png");
  return s;
}

/// What each kind of cells is measured with: first as most offices survey, then what differs.
std::vector<Survey> surveys_of(Cells cells) {
  std::vector<Survey> all{{.cells = cells}};
  switch (cells) {
    case Cells::linear:
      all.push_back({.cells = cells, .cell_m = 0.5, .shift_cells = 0.5, .seed = 2});
      all.push_back({.cells = cells, .returns_per_m2 = 10, .shift_cells = 0.5, .turn_deg = 30, .seed = 3});
      all.push_back({.cells = cells, .returns_per_m2 = 2.5, .eaves_m = 0.5, .seed = 4});
      break;
    case Cells::mean:
      all.push_back({.cells = cells, .turn_deg = 17, .eaves_m = 0.8, .seed = 5});
      all.push_back({.cells = cells, .generalised_m = 0.3, .footprints_off = {0.2, -0.15}, .seed = 6});
      break;
    case Cells::nearest:
      all.push_back({.cells = cells, .shift_cells = 0.5, .eaves_m = 0, .seed = 7});
      all.push_back({.cells = cells, .returns_per_m2 = 4, .crowns = true, .chimneys = true, .seed = 8});
      break;
    case Cells::highest:
    case Cells::highest_stated:
      all.push_back({.cells = cells, .turn_deg = 45, .crowns = true, .chimneys = true, .seed = 9});
      break;
    case Cells::resampled:
      all.push_back({.cells = cells, .cell_m = 0.5, .seed = 10});
      all.push_back({.cells = cells, .turn_deg = 30, .eaves_m = 0.5, .seed = 11});
  }
  return all;
}

/// A part of a building model that every `./roof test` measures, and the least per cent found and right that
/// it must reach: some surfaces less than when it was last measured.
struct Part {
  const char* model;
  geo::Box box;
  Cells cells;
  double found_with, right_with, found_without, right_without;
};
constexpr Part kParts[] = {
    {"nrw", {280700, 5658900, 281000, 5659200}, Cells::linear, 91, 95, 87, 95},
    {"nrw", {280700, 5658900, 281000, 5659200}, Cells::mean, 93, 94, 82, 91},
    {"nrw", {280700, 5658900, 281000, 5659200}, Cells::resampled, 80, 90, 67, 87},
    {"3dbag", {85400, 446700, 85640, 447000}, Cells::linear, 88, 88, 74, 89},
    {"3dbag", {85400, 446700, 85640, 447000}, Cells::mean, 80, 78, 63, 87},
    {"3dbag", {85400, 446700, 85640, 447000}, Cells::resampled, 68, 70, 47, 74},
};

/// The exit code.
int hold_parts(const std::string& folder) {
  if (!std::filesystem::exists(folder)) return std::printf("%s is not here\n", folder.c_str()), kSkipped;
  print_real_head();
  bool held = true;
  for (const Part& part : kParts) {
    const auto model = read_building_model(folder + "/" + part.model + ".gpkg");
    if (!model) return std::printf("%s\n", model.error().text.c_str()), 1;
    const auto set =
        measured(up_to(within(*model, part.box), kLargestHouse_m2), {.cells = part.cells}, {.addresses = 12});
    if (!set) return std::printf("%s\n", set.error().text.c_str()), 1;
    print(*set);
    const auto hold = [&](const char* what, int share, int of, double least) {
      if (100.0 * share >= least * of) return;
      std::printf("FAILED %s: %s %d of %d, less than %.0f %%\n", set->name.c_str(), what, share, of, least);
      held = false;
    };
    const Score &with = set->with.score, &without = set->without.score;
    hold("found with footprints", with.found, with.true_planes, part.found_with);
    hold("right with footprints", with.right, with.surfaces, part.right_with);
    hold("found without", without.found, without.true_planes, part.found_without);
    hold("right without", without.right, without.surfaces, part.right_without);
    if (set->without.asked.another > 0) hold("answered for another house", 0, 1, 100);
  }
  return held ? 0 : kMissed;
}

/// The file itself, or a folder's files that can be models. What they are is told by their content; notes and
/// pictures lie beside them.
std::vector<std::string> model_files(const std::string& path) {
  if (!std::filesystem::is_directory(path)) return {path};
  std::vector<std::string> files;
  for (const auto& file : std::filesystem::directory_iterator(path))
    for (const char* ending : {".gpkg", ".json", ".jsonl", ".gml", ".citygml", ".xml", ".gz"})
      if (file.path().extension() == ending) files.push_back(file.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

/// What of a file is measured on. A model that cannot be read ends the program: it is there.
BuildingModel model_or_exit(const Arguments& a, const std::string& file) {
  auto model = read_building_model(file);
  if (!model) std::printf("%s\n", model.error().text.c_str()), std::exit(1);
  if (model->left_out > 0)
    std::printf("%s: %d buildings without a roof or a foot are left out\n", file.c_str(), model->left_out);
  BuildingModel chosen = up_to(a.box ? within(*model, *a.box) : *model, kLargestHouse_m2);
  if (chosen.faces.empty())
    std::printf("%s: no building of at most %.0f m2 lies in the box\n", file.c_str(), kLargestHouse_m2),
        std::exit(1);
  return chosen;
}

/// One set for each building model and kind of cells.
std::vector<RealSet> real_sets(const Arguments& a, const std::string& shared_folder) {
  std::vector<RealSet> sets;
  if (a.models.empty() && !std::filesystem::exists(shared_folder)) return sets;
  const auto or_exit = [](auto result) {
    if (!result) std::printf("%s\n", result.error().text.c_str()), std::exit(1);
    return std::move(*result);
  };
  for (const std::string& file : model_files(a.models.empty() ? shared_folder : a.models)) {
    const BuildingModel model = model_or_exit(a, file);
    for (const Cells cells : kAllCells) {
      if (!a.runs("models", model.name + " " + name_of(cells))) continue;
      std::vector<Survey> surveys = surveys_of(cells);
      if (a.quick) surveys.resize(1);
      RealOptions options{.footprints = !a.heights_only,
                          .heights = !a.footprints_only,
                          .details = a.details,
                          .addresses = std::min(a.addresses, a.quick ? 12 : kAddresses)};
      for (std::size_t i = 0; i < surveys.size(); ++i) {
        options.pictures = i == 0 && !a.only.empty() ? a.pictures : "";
        RealSet set = or_exit(measured(model, surveys[i], options));
        if (i == 0)
          sets.push_back(std::move(set));
        else
          sets.back().with.add(set.with), sets.back().without.add(set.without);
      }
      print(sets.back());
    }
  }
  return sets;
}

}  // namespace

int main(int argc, char** argv) {
  Arguments a = arguments(argc, argv);
  const char* given = std::getenv("ROOF_SHARED");
  const std::string shared = given ? given : "../shared";
  if (a.part) return hold_parts(shared + "/data/models");
  if (a.pictures.empty() && !a.json.empty())
    a.pictures = std::filesystem::absolute(a.json).parent_path().string();
  const std::string work =
      (std::filesystem::temp_directory_path() / ("roof_accuracy." + std::to_string(getpid()))).string();
  print_head();
  Report report;
  report.with.name = "all with footprints", report.without.name = "all without footprints";
  for (int seed = a.first_seed; seed < a.first_seed + a.seeds; ++seed)
    for (const char* crs : {"EPSG:25832", "EPSG:3035", "EPSG:2056"}) {
      if (!a.runs("samples", std::string(crs + 5) + "-" + std::to_string(seed))) continue;
      auto scene = sample_scene(crs, static_cast<std::uint32_t>(seed), a.addresses, a.cell_m, work);
      if (!scene) return std::printf("%s\n", scene.error().text.c_str()), 1;
      const bool pictured = seed == a.first_seed;
      if (!a.heights_only) {
        report.scenes.push_back(run(*scene, a, pictured, &report.layout, &report.with_budget));
        report.with.add(report.scenes.back());
      }
      if (a.footprints_only) continue;
      if (auto done = forget_footprints(*scene); !done)
        return std::printf("%s\n", done.error().text.c_str()), 1;
      report.scenes.push_back(run(*scene, a, pictured, nullptr, &report.without_budget));
      report.without.add(report.scenes.back());
    }
  std::filesystem::remove_all(work);
  if (a.runs("delft", "delft"))
    if (auto delft = delft_scene(shared)) {
      if (!a.heights_only) report.scenes.push_back(report.delft = run(*delft, a, true, nullptr, nullptr));
      if (auto bare = forget_footprints(*delft); bare && !a.footprints_only)
        report.scenes.push_back(report.bare_delft = run(*delft, a, true, nullptr, nullptr));
    }
  if (report.with.true_planes + report.without.true_planes > 0) {
    for (const Score& s : {report.with, report.without}) {
      report.scenes.push_back(s);
      print(s);
    }
    print("with footprints", report.with_budget);
    print("without footprints", report.without_budget);
  }
  if (a.only.empty() || !(a.runs("samples", "") || a.runs("delft", ""))) print_real_head();
  const std::vector<RealSet> real = real_sets(a, shared + "/data/models");
  std::vector<Verdict> all = verdicts(report);
  for (Verdict& verdict : real_verdicts(real)) all.push_back(std::move(verdict));
  print(all);
  if (!a.json.empty()) {
    write_json(a.json, report, all);
    write_histograms(std::filesystem::absolute(a.json).parent_path().string(), report);
  }
  return a.decides() && !all_met(all) ? kMissed : 0;
}
