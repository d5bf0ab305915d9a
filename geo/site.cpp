#include "geo/site.hpp"

#include <algorithm>

#include "geo/data/height_models.hpp"
#include "geo/data/kept_open.hpp"
#include "geo/data/kept_relief.hpp"
#include "geo/data/vector_layers.hpp"
#include "geo/grid/grid_window.hpp"
#include "geo/grid/repeats.hpp"
#include "geo/grid/resampling.hpp"
#include "geo/height_agreement.hpp"

namespace geo {
namespace {

constexpr double kPropertyRadius_m = 150;
constexpr double kShadeRadius_m = 550;
constexpr double kReliefRadius_m = 31'000;
constexpr double kReliefCell_m = 20;
constexpr double kNeighbours_deg = 0.0012;  // about 130 m
constexpr double kSameAddress_deg = 1e-6;

Box around(Point centre, double radius) {
  return {centre.x - radius, centre.y - radius, centre.x + radius, centre.y + radius};
}

/// Whether a data set lies in a window of the system `crs`.
bool reaches(const DataSet& set, const Box& window, const std::string& crs) {
  const auto to_wgs84 = transformation_to_wgs84(crs);
  const auto window_deg = to_wgs84 ? transformed(window, *to_wgs84) : std::nullopt;
  return window_deg && set.outline_deg.shares_area_with(*window_deg);
}

/// Reads site data one kind after the other; the first failure ends it.
class SiteReader {
 public:
  SiteReader(const Geodata& geodata, LonLat place, const RunControl& control)
      : catalogue_(geodata.catalogue), addresses_(geodata.addresses), place_(place), control_(control) {}

  Result<Site> read() {
    const auto surface = HeightModels::around(catalogue_, DataKind::dsm, place_, control_);
    if (!surface) return tl::make_unexpected(surface.error());
    if (surface->empty()) return fail(FailureKind::no_roof, "Für diesen Ort liegt kein Höhenmodell vor.");
    crs_ = surface->working_system();
    auto frame = PlaceFrame::create(crs_, place_);
    if (!frame) return tl::make_unexpected(frame.error());
    Site site{.crs_wkt = crs_, .frame = std::move(*frame)};
    if (const auto done = read_surface(*surface, site); !done) return tl::make_unexpected(done.error());
    for (const auto step : {&SiteReader::read_terrain, &SiteReader::read_polygons_of_site,
                            &SiteReader::read_relief, &SiteReader::read_irradiation}) {
      control_.checkpoint();
      if (const auto done = (this->*step)(site); !done) return tl::make_unexpected(done.error());
    }
    read_neighbours(site);
    return site;
  }

 private:
  static void name_sources(const HeightWindow& window, Site& site) {
    for (const UsedModel& model : window.used) add_sources(site.sources, sources_of(*model.set, model.years));
  }

  Result<void> read_surface(const HeightModels& models, Site& site) {
    auto window = models.read(crs_, around(site.frame.origin(), kShadeRadius_m), kFinestCell_m, control_);
    if (!window) return tl::make_unexpected(window.error());
    name_sources(*window, site);
    // Cells that are averaged while they are read hold a mean of highest returns.
    const DataSet& serving = models.serving();
    if (serving.cell_m > kFinestCell_m * (1 - 1e-6)) site.highest_of_m2 = serving.highest_of_m2;
    site.cell_height_stated = serving.cell_height_stated;
    site.surroundings = without_repeats(std::move(window->heights));
    site.dsm = cells_in(site.surroundings, around(site.frame.origin(), kPropertyRadius_m));
    return {};
  }

  Result<void> read_terrain(Site& site) {
    const auto models = HeightModels::around(catalogue_, DataKind::dtm, place_, control_);
    if (!models) return tl::make_unexpected(models.error());
    if (models->empty()) return {};
    const double radius_m = kPropertyRadius_m + models->serving().cell_m;
    auto window = models->read(crs_, around(site.frame.origin(), radius_m), kFinestCell_m, control_);
    if (!window) return tl::make_unexpected(window.error());
    if (window->used.empty()) return {};  // no data here
    site.terrain_contradiction = terrain_contradiction(site.dsm, window->heights);
    if (site.terrain_contradiction) return {};
    name_sources(*window, site);
    site.dtm = without_repeats(std::move(window->heights));
    return {};
  }

  Result<void> read_polygons_of_site(Site& site) {
    for (auto [kind, polygons] :
         {std::pair{DataKind::buildings, &site.footprints}, std::pair{DataKind::parcels, &site.parcels}})
      for (const DataSet& set : catalogue_.of(kind)) {
        const Box window = around(site.frame.origin(), kPropertyRadius_m);
        if (!reaches(set, window, crs_)) continue;
        auto read = read_polygons(vector_file(set), window, crs_, control_);
        if (!read) return tl::make_unexpected(read.error());
        if (!read->empty()) site.sources.push_back(source_of(set));
        polygons->insert(polygons->end(), read->begin(), read->end());
      }
    return {};
  }

  /// The relief keeps its own system where that is in metres: reprojecting 60 km of cells would be expensive.
  Result<void> read_relief(Site& site) {
    const auto models = HeightModels::around(catalogue_, DataKind::relief, place_, control_);
    if (!models) return tl::make_unexpected(models.error());
    if (models->empty()) return {};
    const std::string crs = models->working_system();
    auto frame = PlaceFrame::create(crs, place_);
    if (!frame) return tl::make_unexpected(frame.error());
    const auto cells = kept_relief(*models, crs, frame->origin(), kReliefRadius_m, kReliefCell_m, control_);
    if (!cells) return tl::make_unexpected(cells.error());
    if ((*cells)->used.empty()) return {};
    site.relief_contradiction =
        relief_contradiction(site.dsm, height_at_point((*cells)->heights, frame->origin()));
    if (site.relief_contradiction) return {};
    for (const ReliefCells::Used& used : (*cells)->used)
      if (const DataSet& set = *models->sets()[used.set];
          reaches(set, around(frame->origin(), kReliefRadius_m), crs))
        add_sources(site.sources, sources_of(set, used.years));
    site.relief = Relief{*cells, std::move(*frame)};
    return {};
  }

  Result<void> read_irradiation(Site& site) {
    const DataSet* set = catalogue_.finest(DataKind::irradiance, place_);
    if (!set) return {};
    std::vector<double> months;
    const auto done = read_kept_raster(set->path, set->crs, [&](const Raster& raster) -> Result<void> {
      auto read = raster.values_at(place_);
      if (!read) return tl::make_unexpected(read.error());
      months = std::move(*read);
      return {};
    });
    if (!done) return tl::make_unexpected(done.error());
    if (months.size() != std::tuple_size_v<MonthlyValues>)
      return fail(FailureKind::invalid_input, set->path + ": an irradiance raster has twelve bands");
    MonthlyValues values{};
    std::copy(months.begin(), months.end(), values.begin());
    if (std::any_of(values.begin(), values.end(), [](double v) { return !(v >= 0); }))
      return {};  // no data here
    site.irradiation_kwh_m2 = values;
    site.sources.push_back(source_of(*set));
    return {};
  }

  void read_neighbours(Site& site) const {
    for (const LonLat house : addresses_.near(place_, kNeighbours_deg))
      if (std::abs(house.lon_deg - place_.lon_deg) > kSameAddress_deg ||
          std::abs(house.lat_deg - place_.lat_deg) > kSameAddress_deg)
        site.other_addresses.push_back(site.frame.to_map(house));
    for (const std::size_t set : addresses_.registers_near(place_, kNeighbours_deg))
      site.sources.push_back(source_of(catalogue_.of(DataKind::addresses)[set]));
  }

  const Catalogue& catalogue_;
  const AddressRegister& addresses_;
  LonLat place_;
  const RunControl& control_;
  std::string crs_;
};

}  // namespace

Result<Site> read_site(const Geodata& geodata, LonLat place, const RunControl& control) {
  return SiteReader(geodata, place, control).read();
}

}  // namespace geo
