// What adding a region would fetch, said before anything is fetched.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "geo/offices/area.hpp"
#include "geo/offices/found_files.hpp"
#include "geo/offices/listing_store.hpp"
#include "geo/offices/recipe.hpp"

namespace geo::offices {

struct Wish {
  std::optional<Area> area;     ///< nothing: the whole region
  std::vector<DataKind> kinds;  ///< empty: all but pictures
  bool remote = false;          ///< tiles stay at the office; sources that cannot be read there are left out
  bool anew = false;            ///< listings are asked for again
};

/// A data set to be, and its files.
struct SetPlan {
  const Source* source = nullptr;
  FoundFiles found;               ///< in the area
  std::vector<FoundFile> beyond;  ///< packets that are listed and that the area does not need
  bool all_listed = true;         ///< the listing told of the whole region, not of the area alone
  std::optional<Box> window_deg;  ///< outlines: what of the packets is kept; nothing: all
  std::size_t in_region = 0;      ///< files of the whole region; 0: not known
  std::size_t here = 0;           ///< files that were fetched before
  std::uint64_t bytes = 0;        ///< to be fetched
  bool bytes_are_told = false;    ///< by the listing; else from the recipe's figure
  std::uint64_t disk_bytes = 0;   ///< more than now, when all is done
  int oldest_year = 0, newest_year = 0;
  bool remote = false;
  bool anew = false;                          ///< what is here is fetched again
  std::filesystem::file_time_type planned{};  ///< when; before anything was fetched
};

struct Plan {
  const Recipe* recipe = nullptr;
  Wish wish;
  std::vector<SetPlan> sets;
  int today = 0;                      ///< YYYYMMDD
  std::vector<std::string> left_out;  ///< sentences: what is not fetched, and why
  std::uint64_t bytes() const;
  std::uint64_t disk_bytes() const;  ///< with room for what is under way
};

/// Reads (or asks for) the listings. Fails as they do, with an area outside the region, and when nothing of
/// the kinds is offered.
Result<Plan> make_plan(const Recipe& recipe, const Wish& wish, const ListingStore& listings,
                       std::string_view today);

/// The plan's figures anew, after files were taken out of it.
void count_files(SetPlan& set);

/// The notice that whoever uses the data must show, with the newest file's year and date; where the office
/// tells none (0), with the day on which the files were fetched. Some offices ask for that day's year.
std::string notice_of(const Source& source, int date, int fetched);

/// For people: a table, the disk it takes, what is left out, the notices. `free_bytes` of the disk.
std::string text_of(const Plan& plan, std::uint64_t free_bytes);
/// "1.7 GB", "35 MB"
std::string size_text(std::uint64_t bytes);

}  // namespace geo::offices
