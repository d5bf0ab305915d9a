#include "geo/offices/recipe.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "geo/data/coordinate_system.hpp"
#include "geo/offices/json_fields.hpp"

namespace geo::offices {
namespace {

constexpr std::array<const char*, 10> kMethodNames{"tile_numbers", "listing",  "index",       "stac",
                                                   "atom",         "metalink", "zip_members", "webdav",
                                                   "features",     "file"};
constexpr std::array<const char*, 5> kFormNames{"geotiff", "xyz", "jpeg2000", "vector", "table"};
constexpr double kAny = 1e9;

bool is_web_address(std::string_view url) {
  return url.starts_with("https://") || url.starts_with("http://");
}

template <std::size_t N>
int place_in(const std::array<const char*, N>& names, std::string_view name) {
  const auto it = std::find(names.begin(), names.end(), name);
  return it == names.end() ? -1 : static_cast<int>(it - names.begin());
}

std::optional<DataKind> kind_named(std::string_view name) {
  for (std::size_t i = 0; i < kDataKinds; ++i)
    if (name == geo::name_of(static_cast<DataKind>(i))) return static_cast<DataKind>(i);
  return {};
}

/// Of two numbers each.
std::optional<Point> point_in(simdjson::dom::element element) {
  simdjson::dom::array pair;
  Point point;
  if (element.get(pair) || pair.size() != 2 || pair.at(0).get(point.x) || pair.at(1).get(point.y)) return {};
  return point;
}

void read_outline(JsonFields& fields, Ring& outline) {
  if (!fields.has("outline")) return;
  outline.clear();
  for (const simdjson::dom::element element : fields.list("outline")) {
    const auto point = point_in(element);
    if (!point || std::abs(point->x) > 180 || std::abs(point->y) > 90)
      return fields.blame("outline", "is not a list of [longitude, latitude]");
    outline.push_back(*point);
  }
  if (outline.size() < 3) fields.blame("outline", "has fewer than three corners");
}

/// What a recipe states for all its sources, and a source for itself.
void read_shared(JsonFields& fields, Source& source) {
  for (auto [field, target] : {std::pair{"provider", &source.provider},
                               {"licence", &source.licence},
                               {"licence_url", &source.licence_url},
                               {"notice", &source.notice},
                               {"page", &source.page},
                               {"referer", &source.referer},
                               {"crs", &source.crs},
                               {"heights", &source.heights}})
    if (fields.has(field)) *target = fields.text(field);
  read_outline(fields, source.outline);
  source.priority = static_cast<int>(fields.number("priority", source.priority, -1000, 1000));
  source.connections = static_cast<int>(fields.number("connections", source.connections, 1, 8));
  source.refresh_days = static_cast<int>(fields.number("refresh_days", source.refresh_days, 1, 3650));
}

void read_grid(JsonFields& fields, TileGrid& grid) {
  const auto object = fields.object("tile");
  if (!object) return;
  JsonFields tile(*object, fields.where() + ".tile");
  grid.size = tile.number("size", grid.size, 1e-3, kAny, true);
  grid.unit = tile.number("unit", grid.unit, 1e-3, kAny);
  if (tile.has("origin")) {
    simdjson::dom::element origin;
    if ((*object)["origin"].get(origin) || !point_in(origin))
      tile.blame("origin", "is not [x, y]");
    else
      grid.origin = *point_in(origin);
  }
  tile.refuse_others();
  if (fields.fault.empty()) fields.fault = tile.fault;
}

std::optional<NamePattern> pattern_in(JsonFields& fields, std::string_view field, const std::string& text) {
  auto pattern = NamePattern::parse(text);
  if (pattern) return *pattern;
  fields.blame(field, "is wrong: " + pattern.error().text);
  return {};
}

void read_find(JsonFields& fields, FindRule& find) {
  const auto object = fields.object("find", true);
  if (!object) return;
  JsonFields rule(*object, fields.where() + ".find");
  const std::string method = rule.text("method", true);
  if (const int at = place_in(kMethodNames, method); at >= 0)
    find.method = static_cast<FindMethod>(at);
  else
    rule.blame("method", "\"" + method + "\" is not known");
  find.urls = rule.texts("urls");
  for (const std::string& name : rule.texts("names"))
    if (auto pattern = pattern_in(rule, "names", name)) find.names.push_back(std::move(*pattern));
  if (rule.has("url")) find.url = pattern_in(rule, "url", rule.text("url"));
  find.in_title = rule.flag("in_title", false);
  find.url_field = rule.text("url_field");
  find.date_field = rule.text("date_field");
  find.asset = rule.text("asset");
  find.path_has = rule.text("path_has");
  find.page_url = rule.text("page_url");
  find.page_size = static_cast<std::uint64_t>(rule.number("page_size", 0, 1, 1e7));
  for (const std::string& url : find.urls)
    if (!is_web_address(url)) rule.blame("urls", "holds \"" + url + "\", which is no http or https address");
  if (find.url && !is_web_address(find.url->text())) rule.blame("url", "is no http or https address");
  if (rule.has("page_url") && !is_web_address(find.page_url))
    rule.blame("page_url", "is no http or https address");
  rule.refuse_others();
  if (fields.fault.empty()) fields.fault = rule.fault;
}

void read_quirks(JsonFields& fields, Quirks& quirks) {
  for (const std::string& quirk : fields.texts("quirks")) {
    bool* known = nullptr;
    for (auto [name, flag] : {std::pair{"no-head", &quirks.no_head},
                              {"no-range", &quirks.no_range},
                              {"html-200", &quirks.html_200},
                              {"token-url", &quirks.token_url},
                              {"own-ca", &quirks.own_ca},
                              {"wcs", &quirks.wcs},
                              {"html-end", &quirks.html_end}})
      if (quirk == name) known = flag;
    if (known)
      *known = true;
    else
      fields.blame("quirks", "holds \"" + quirk + "\", which is not known");
  }
}

void read_raster(JsonFields& fields, Source& source) {
  source.cell_m = fields.number("cell_m", 0, 1e-6, 1e5);
  source.stored_cell_m = fields.number("stored_cell_m", source.cell_m, 1e-6, 1e5);
  source.stored_crs = fields.text("stored_crs");
  if (fields.has("no_height")) source.no_height = fields.number("no_height", 0, -kAny, kAny);
  read_grid(fields, source.grid);
}

/// A sentence about parts of a source that do not fit together; empty when they do.
std::string incoherence(const Source& s) {
  const bool raster = is_raster(s.kind);
  const bool heights = s.kind == DataKind::dsm || s.kind == DataKind::dtm || s.kind == DataKind::relief;
  const FindRule& find = s.find;
  const auto places = [&] {  // whether names say where a tile lies
    return !find.names.empty() &&
           std::all_of(find.names.begin(), find.names.end(),
                       [](const NamePattern& name) { return name.asks("E") && name.asks("N"); });
  };
  if (s.outline.empty()) return "outline is missing";
  for (const auto& [field, value] :
       {std::pair{"provider", &s.provider}, {"licence", &s.licence}, {"notice", &s.notice}, {"crs", &s.crs}})
    if (value->empty()) return std::string(field) + " is missing";
  if (const auto crs = coordinate_system(s.crs); !crs) return "crs: " + crs.error().text;
  if (!s.stored_crs.empty())
    if (const auto crs = coordinate_system(s.stored_crs); !crs) return "stored_crs: " + crs.error().text;
  if (raster && !(s.cell_m > 0)) return "cell_m is missing";
  if (heights && s.heights.empty()) return "heights, the heights' system, is missing";
  if (raster && (s.form == FileForm::vector || s.form == FileForm::table))
    return "form does not fit the kind";
  if (s.form == FileForm::xyz && !heights) return "form xyz holds heights alone";
  if (s.form == FileForm::jpeg2000 && heights) return "form jpeg2000 holds pictures alone";
  const bool readable =
      s.form == FileForm::vector ? s.import_as.starts_with("vector:") : s.form == FileForm::table;
  if (s.kind == DataKind::addresses && (!readable || s.import_as.empty()))
    return "addresses need form table and import_as, or form vector and import_as vector:...";
  if (!raster && s.kind != DataKind::addresses && s.form != FileForm::vector)
    return "form does not fit the kind";
  if (s.stored_crs.empty() && s.stored_cell_m < s.cell_m) return "stored_cell_m is finer than cell_m";
  if (s.no_height && (!heights || s.by_window || !s.stored_crs.empty()))
    return "no_height needs heights that are made into tiles here";
  if (s.by_window && (s.zipped || s.form != FileForm::geotiff || s.quirks.no_range || !s.stored_crs.empty()))
    return "read window needs plain GeoTIFFs of a server that answers ranges";
  if (find.method == FindMethod::tile_numbers) {
    if (!find.url || !find.urls.empty()) return "find: tile_numbers needs url, and no urls";
  } else if (find.urls.empty()) {
    return "find: urls is missing";
  }
  if (find.method == FindMethod::file && raster)
    return "find: a raster's files need names that say where they lie";
  if (raster && find.method != FindMethod::tile_numbers && find.method != FindMethod::file && !places() &&
      !(find.method == FindMethod::index && find.names.empty()))
    return "find: names must hold {E} and {N}";
  if (find.method == FindMethod::index && find.url_field.empty() && !find.url)
    return "find: an index needs url_field or url";
  const bool by_pages = find.method == FindMethod::features;
  if (by_pages != (!find.page_url.empty() && find.page_size > 0))
    return "find: features needs page_url and page_size, and no other method has them";
  if (by_pages && (s.form != FileForm::vector || s.zipped))
    return "find: a service's features need form vector, and come in no ZIP";
  if (by_pages && find.urls.size() != 1) return "find: features needs one of urls, which counts them";
  if (by_pages && s.refresh_days != 1)
    return "find: features needs refresh_days 1, because they move from page to page";
  if (by_pages && (find.page_url.find("{offset}") == std::string::npos) !=
                      (find.page_url.find("{count}") == std::string::npos))
    return "find: page_url needs both {offset} and {count}, or none for all at once";
  if (s.mirrors.size() == 1) return "mirrors need the URLs' own beginning first, and one or more others";
  for (std::size_t open = s.notice.find('{'); open != std::string::npos; open = s.notice.find('{', open + 1))
    if (const std::string field = s.notice.substr(open, s.notice.find('}', open) - open + 1);
        field != "{year}" && field != "{date}" && field != "{fetched}")
      return "notice has a field that is none of {year}, {date} and {fetched}";
  return {};
}

Result<Source> read_source(simdjson::dom::object object, const std::string& where, Source source,
                           const std::string& recipe_id) {
  JsonFields fields(object, where);
  const std::string kind = fields.text("kind", true);
  if (const auto known = kind_named(kind))
    source.kind = *known;
  else
    fields.blame("kind", "\"" + kind + "\" is not known");
  const std::string own_id = fields.text("id");
  source.id = recipe_id + "-" + (own_id.empty() ? kind : own_id);
  source.title = fields.text("title", true);
  read_shared(fields, source);
  read_raster(fields, source);
  read_find(fields, source.find);
  const std::string form = fields.text("form", true);
  if (const int at = place_in(kFormNames, form); at >= 0)
    source.form = static_cast<FileForm>(at);
  else
    fields.blame("form", "\"" + form + "\" is not known");
  source.zipped = fields.flag("zipped", false);
  const std::string read = fields.text("read");
  source.by_window = read == "window";
  if (!read.empty() && read != "window" && read != "whole")
    fields.blame("read", "is neither window nor whole");
  source.file_mb = fields.number("file_mb", 0, 0, 1e7, true);
  source.stored_mb = fields.number("stored_mb", source.file_mb, 0, 1e7);
  source.files = static_cast<int>(fields.number("files", 0, 0, 1e7));
  source.mirrors = fields.texts("mirrors");
  source.layer = fields.text("layer");
  source.where = fields.text("where");
  source.import_as = fields.text("import_as");
  read_quirks(fields, source.quirks);
  source.checked = fields.flag("checked", true);
  source.note = fields.text("note");
  fields.refuse_others();
  if (fields.fault.empty())
    if (const std::string unfit = incoherence(source); !unfit.empty()) fields.fault = where + ": " + unfit;
  if (!fields.fault.empty()) return fail(FailureKind::invalid_input, fields.fault);
  return source;
}

bool is_id(std::string_view text) {
  return !text.empty() && text.size() <= 40 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

}  // namespace

const char* name_of(FindMethod method) { return kMethodNames[static_cast<std::size_t>(method)]; }
const char* name_of(FileForm form) { return kFormNames[static_cast<std::size_t>(form)]; }

const Source* Recipe::source(DataKind kind) const {
  for (const Source& source : sources)
    if (source.kind == kind) return &source;
  return nullptr;
}

Result<Recipe> read_recipe(std::string_view json, const std::string& origin) {
  simdjson::dom::parser parser;
  simdjson::dom::object root;
  const simdjson::padded_string text(json);
  if (const auto error = parser.parse(text).get(root))
    return fail(FailureKind::invalid_input,
                origin + ": is not a recipe in JSON (" + simdjson::error_message(error) + ")");
  JsonFields fields(root, origin);
  Recipe recipe;
  recipe.id = fields.text("id", true);
  recipe.title = fields.text("title", true);
  if (fields.fault.empty() && !is_id(recipe.id))
    fields.blame("id", "is not of small letters, digits and hyphens, 40 at most");
  Source shared;
  read_shared(fields, shared);
  const auto sources = fields.list("sources", true);
  fields.refuse_others();
  if (fields.fault.empty() && sources.empty()) fields.blame("sources", "is empty");
  if (!fields.fault.empty()) return fail(FailureKind::invalid_input, fields.fault);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::string where = origin + ": sources[" + std::to_string(i) + "]";
    simdjson::dom::object object;
    if (sources[i].get(object)) return fail(FailureKind::invalid_input, where + " is not an object");
    auto source = read_source(object, where, shared, recipe.id);
    if (!source) return tl::make_unexpected(source.error());
    for (const Source& other : recipe.sources)
      if (other.id == source->id)
        return fail(FailureKind::invalid_input,
                    where + ": there is another \"" + source->id + "\"; give it an id");
    if (!is_id(source->id))
      return fail(FailureKind::invalid_input, where + ": id is not of small letters, digits and hyphens");
    recipe.sources.push_back(std::move(*source));
  }
  return recipe;
}

}  // namespace geo::offices
