// roofd geodata list: which regions there are and what each offers, as the recipes have it. Asks nobody.
#include <boost/algorithm/string/replace.hpp>
#include <cstdio>
#include <iostream>

#include "http/commands/geodata.hpp"

namespace http {
namespace {

using geo::offices::Recipe;
using geo::offices::Source;

constexpr double kMB = 1e6;

std::string row(const std::string& id, const std::string& kind, const std::string& files,
                const std::string& size, const std::string& rest) {
  std::array<char, 200> text{};
  std::snprintf(text.data(), text.size(), "%-10s %-11s %8s %9s  ", id.c_str(), kind.c_str(), files.c_str(),
                size.c_str());
  return text.data() + rest + "\n";
}

std::string size_of(const Source& source) {
  if (source.files == 0) return "?";
  return geo::offices::size_text(static_cast<std::uint64_t>(source.files * source.file_mb * kMB));
}

std::string how(const Source& source) {
  std::string text = source.title + ", " + source.licence;
  if (source.by_window) text += ", --remote";
  if (!source.checked) text += ", NOT CHECKED";
  return text;
}

/// What a notice shows is known when its files are here.
std::string notice_before_fetching(const Source& source) {
  std::string notice = source.notice;
  boost::replace_all(notice, "{date}", "[the files' date]");
  boost::replace_all(notice, "{year}", "[the files' year]");
  boost::replace_all(notice, "{fetched}", "[the year of fetching]");
  return notice;
}

void print_recipe(const Recipe& recipe, bool with_notes) {
  std::cout << recipe.id << "  " << recipe.title << "\n";
  for (const Source& source : recipe.sources) {
    std::cout << row("", geo::name_of(source.kind), source.files > 0 ? std::to_string(source.files) : "?",
                     size_of(source), how(source));
    if (!with_notes) continue;
    std::cout << "           " << source.provider << "; " << geo::offices::name_of(source.find.method) << ", "
              << geo::offices::name_of(source.form)
              << "\n           shows: " << notice_before_fetching(source) << "\n";
    if (!source.note.empty()) std::cout << "           note:  " << source.note << "\n";
  }
}

}  // namespace

int geodata_list(const GeodataWork& work) {
  if (!work.region.empty()) {
    const auto recipe = geo::offices::find_recipe(work.recipes, work.region);
    if (!recipe) return refuse(recipe.error().text);
    print_recipe(**recipe, true);
    return kGeodataDone;
  }
  std::cout << row("region", "kind", "files", "size", "what");
  for (const Recipe& recipe : work.recipes) print_recipe(recipe, false);
  std::cout << "Figures are the recipes', roughly. NOT CHECKED: a fact of it is from memory; roofd geodata "
               "list REGION says which.\n";
  return kGeodataDone;
}

}  // namespace http
