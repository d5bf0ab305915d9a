#include <filesystem>
#include <utility>

#include "geo/offices/acquisition.hpp"
#include "geo/offices/tile_books.hpp"
#include "geo/offices/tile_changes.hpp"
#include "geo/offices/tile_fetching.hpp"
#include "geo/offices/tile_plan.hpp"

namespace geo::offices {

Result<SetOutcome> acquire_tiles(const SetPlan& set, const DataFolder& folder, Fetcher& fetcher,
                                 const Listening& listening, RunControl& control) {
  auto index = open_tile_index(*set.source, folder);
  if (!index) return tl::make_unexpected(index.error());
  const auto rows = index->all();
  if (!rows) return tl::make_unexpected(rows.error());
  const TilePlan plan = plan_tiles(set, *rows, folder);

  TileBooks books(set, folder, std::move(*index), listening, control);
  auto wanted = books.enter(plan);
  if (!wanted) return tl::make_unexpected(wanted.error());
  std::error_code error;
  std::filesystem::create_directories(folder.downloads(), error);

  const TileChanges changes = look_for_changes(set, plan.etags, fetcher, control);
  books.enter_changes(changes);
  wanted->insert(wanted->end(), changes.files.begin(), changes.files.end());
  fetch_tiles(set, {std::move(*wanted), witness_of(plan, *rows, folder)}, folder, fetcher, listening, control,
              books);
  return books.close();
}

}  // namespace geo::offices
