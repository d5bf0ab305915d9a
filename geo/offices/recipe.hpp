// A recipe: how a region's official geodata are found, fetched and named. Recipes are data (recipes/*.json,
// inside the program); a file of the operator's own of the same form takes the place of one with its id.
// What each field means stands in recipes/README.md.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "geo/data/catalogue.hpp"
#include "geo/failure.hpp"
#include "geo/offices/name_pattern.hpp"
#include "geo/shapes/box.hpp"
#include "geo/shapes/shapes.hpp"

namespace geo::offices {

/// How the office tells which files there are.
enum class FindMethod {
  tile_numbers,  ///< it does not: every square of the region may be asked for
  listing,       ///< a page of links, or a table of names as JSON or XML
  index,         ///< GeoJSON or an ArcGIS layer: one feature a file
  stac,          ///< pages of STAC items
  atom,          ///< a feed
  metalink,      ///< names, sizes and sums (RFC 5854)
  zip_members,   ///< a few huge ZIPs, read by range
  webdav,        ///< a folder of a share (RFC 4918)
  features,      ///< a service tells how many features it has, and sends them by pages
  file,          ///< the URLs are the files
};
const char* name_of(FindMethod method);

struct FindRule {
  FindMethod method = FindMethod::file;
  std::vector<std::string> urls;   ///< of the listings, feeds, ZIPs or files
  std::vector<NamePattern> names;  ///< a file's name is of one of these forms; others are not ours
  bool in_title = false;           ///< the names are matched with titles, not with the links' ends
  std::optional<NamePattern> url;  ///< makes the URL of what a name says; else the listing gives it
  std::string url_field;           ///< index: the property that holds the URL
  std::string date_field;          ///< index: the property that holds the date; else the name does
  std::string asset;               ///< stac: which of an item's assets, by the end of its URL
  std::string path_has;            ///< what a file's URL must hold; others are not ours
  std::string
      page_url;  ///< features: a page's URL; {offset} becomes how many stand before it, {count} its size
  std::uint64_t page_size = 0;  ///< features: how many a page has
};

/// The squares that an office cuts its data into.
struct TileGrid {
  double size = 1000;  ///< a square's side, in units of the naming system
  double unit = 1000;  ///< what a name's E and N count, in the same units
  Point origin;        ///< a corner of the grid
};

enum class FileForm {
  geotiff,
  xyz,  ///< lines of three numbers
  jpeg2000,
  vector,  ///< whatever OGR opens of the catalogue's formats
  table,   ///< an address register, for the importer
};
const char* name_of(FileForm form);

struct Quirks {
  bool no_head = false;    ///< HEAD is refused
  bool no_range = false;   ///< ranges are ignored: no going on, no reading of windows
  bool html_200 = false;   ///< errors come as a page with status 200
  bool token_url = false;  ///< the URL holds a share's token, which the office may change
  bool own_ca = false;     ///< the office's chain of certificates is incomplete
  bool wcs = false;        ///< a coverage service cuts the squares
  bool html_end = false;   ///< behind each text stands a page of HTML; without it the text was cut off
};

struct Source {
  std::string id;  ///< "de-nw-dsm"
  DataKind kind = DataKind::dsm;
  std::string title, provider, licence, licence_url, notice, page;
  Ring outline;  ///< WGS84; holds the region with some kilometres to spare
  int priority = 0;
  std::string crs;                  ///< of the names, and of the files
  std::string stored_crs;           ///< files are warped to it when they come; empty: they keep theirs
  std::string heights;              ///< the heights' system
  double cell_m = 0;                ///< rasters: a cell's width in units of the system
  double stored_cell_m = 0;         ///< finer cells are averaged to it when the files come
  std::optional<double> no_height;  ///< what stands in cells without a height, where files do not say so
  TileGrid grid;
  double file_mb = 0;    ///< a file of the office, roughly
  double stored_mb = 0;  ///< what is kept of it, roughly
  int files = 0;         ///< how many the office has, roughly; 0: not known
  FindRule find;
  FileForm form = FileForm::geotiff;
  bool zipped = false;               ///< files come inside ZIPs of their own
  bool by_window = false;            ///< good to be read in windows where they are
  int connections = 2;               ///< at once to the office, at most
  std::string referer;               ///< sent along where the office wants one
  int refresh_days = 30;             ///< a listing that is older is asked for anew
  std::vector<std::string> mirrors;  ///< the URLs' beginning first, then what may stand in its place
  std::string layer, where;          ///< vectors: what of the file is taken
  std::string import_as;             ///< addresses: the importer's name of the form
  Quirks quirks;
  bool checked = true;  ///< all facts were read in a public source; false: one or more are from memory
  std::string note;     ///< what is not checked, or what to mind

  bool tiled() const { return kind != DataKind::addresses && form != FileForm::vector; }
  /// Made as a whole of the packets that it comes in.
  bool is_joined() const { return form == FileForm::vector; }
  bool is_outlines() const { return kind != DataKind::addresses && form == FileForm::vector; }
};

struct Recipe {
  std::string id, title;
  std::vector<Source> sources;

  const Source* source(DataKind kind) const;
};

/// Reads one recipe. `origin` names it in the sentence of a refusal (invalid_input): JSON that is broken, a
/// field that is missing, unknown or of the wrong type, and parts that do not fit together.
Result<Recipe> read_recipe(std::string_view json, const std::string& origin);

}  // namespace geo::offices
