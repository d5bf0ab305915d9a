// How many pictures, models and orthophotos one thread makes in a second, by size and format: a house of the
// sample region with its aerial image. items_per_second is the figure; bytes is what came out.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "geo/data/geodata.hpp"
#include "geo/drawing/orthophoto_image.hpp"
#include "geo/drawing/picture_png.hpp"
#include "geo/drawing/pictures.hpp"
#include "geo/drawing/roof_model.hpp"
#include "geo/drawing/scene_bytes.hpp"
#include "geo/property_analysis.hpp"
#include "geo/sample_region/sample_region.hpp"

namespace {

struct House {
  geo::RoofAnalysis analysis;
  std::string scene_bytes;
  geo::PropertyScene scene;
  int surface = 0;  ///< one with modules
};

House analysed_house(const std::filesystem::path& folder) {
  const auto fail = [](const std::string& what) {
    std::cerr << "bench_pictures: " << what << "\n";
    std::exit(1);
  };
  if (const auto written = geo::write_sample_region({.out_dir = folder, .addresses = 6}); !written)
    fail(written.error().text);
  const auto geodata = geo::Geodata::load(folder / "geodata.json");
  if (!geodata) fail(geodata.error().text);
  const auto places = geodata->addresses.near({10, 50}, 90);
  if (places.empty()) fail("the sample region has no address");
  auto whole = geo::analyse_property(
      *geodata, {places.front(), 4500}, [](const geo::AnalysisStep&) {}, geo::RunControl{});
  if (!whole) fail(whole.error().text);
  auto scene = geo::scene_from_bytes(whole->scene);
  if (!scene) fail(scene.error().text);
  House house{std::move(whole->analysis), std::move(whole->scene), std::move(*scene), 0};
  for (const geo::RoofSurface& s : house.analysis.surfaces)
    if (house.surface == 0 && s.modules_possible() > 0) house.surface = s.id;
  return house;
}

const House& house() {
  static const House made = [] {
    std::string folder = (std::filesystem::temp_directory_path() / "roof_bench_XXXXXX").string();
    House one = analysed_house(::mkdtemp(folder.data()));
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
    return one;
  }();
  return made;
}

void report(benchmark::State& state, std::size_t bytes) {
  state.SetItemsProcessed(state.iterations());
  state.counters["bytes"] = static_cast<double>(bytes);
}

std::string svg_of(bool overview, int width_px) {
  const House& h = house();
  return overview ? geo::draw_overview_svg(h.analysis, h.scene, width_px).value()
                  : geo::draw_surface_svg(h.analysis, h.surface, h.scene, width_px).value();
}

std::string png_of(bool overview, int width_px) {
  const House& h = house();
  const auto metadata = overview ? geo::overview_metadata(h.analysis, h.scene)
                                 : geo::surface_metadata(h.analysis, h.surface, h.scene).value();
  return geo::svg_to_png(svg_of(overview, width_px), width_px, metadata).value();
}

void picture(benchmark::State& state, std::string (*make)(bool, int), bool overview) {
  house();  // made before the clock runs
  std::size_t bytes = 0;
  for (auto _ : state) bytes = make(overview, static_cast<int>(state.range(0))).size();
  report(state, bytes);
}

void widths(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgName("px")->Arg(200)->Arg(800)->Arg(2000)->Unit(benchmark::kMillisecond);
}
BENCHMARK_CAPTURE(picture, svg_surface, svg_of, false)->Apply(widths);
BENCHMARK_CAPTURE(picture, svg_overview, svg_of, true)->Apply(widths);
BENCHMARK_CAPTURE(picture, png_surface, png_of, false)->Apply(widths);
BENCHMARK_CAPTURE(picture, png_overview, png_of, true)->Apply(widths);

void glb(benchmark::State& state) {
  std::size_t bytes = 0;
  for (auto _ : state) bytes = geo::write_model_glb(house().analysis, house().scene).value().size();
  report(state, bytes);
}
BENCHMARK(glb)->Unit(benchmark::kMillisecond);

void orthophoto_jpeg(benchmark::State& state) {
  std::size_t bytes = 0;
  for (auto _ : state)
    bytes = geo::orthophoto_image(house().scene, geo::OrthophotoFormat::jpeg).value().size();
  report(state, bytes);
}
BENCHMARK(orthophoto_jpeg)->Unit(benchmark::kMillisecond);

/// What a renderer does before each drawing.
void scene_from_its_bytes(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(geo::scene_from_bytes(house().scene_bytes));
  report(state, house().scene_bytes.size());
}
BENCHMARK(scene_from_its_bytes)->Unit(benchmark::kMillisecond);

}  // namespace
