#include "geo/offices/recipes.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>

#include "geo/offices/embedded_files.hpp"

namespace geo::offices {
namespace {

constexpr std::uintmax_t kLargestRecipe = 4U << 20U;

Result<std::string> text_of_file(const std::filesystem::path& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (!error && size > kLargestRecipe)
    return fail(FailureKind::invalid_input, path.string() + ": is too long for a recipe");
  std::ifstream in(path, std::ios::binary);
  if (error || !in) return fail(FailureKind::invalid_input, path.string() + ": cannot be read");
  return std::string(std::istreambuf_iterator<char>(in), {});
}

std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == ".json") files.push_back(it->path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

Result<std::vector<Recipe>> all_recipes(const std::filesystem::path& own) {
  std::map<std::string, Recipe> by_id;
  for (const EmbeddedBytes* file = embedded_bytes(); file->name; ++file) {
    const std::string name = file->name;
    if (name == "larger_towns.json") continue;
    auto recipe = read_recipe({file->bytes, file->size}, name);
    if (!recipe) return tl::make_unexpected(recipe.error());
    by_id[recipe->id] = std::move(*recipe);
  }
  for (const std::filesystem::path& path : files_in(own)) {
    const auto text = text_of_file(path);
    if (!text) return tl::make_unexpected(text.error());
    auto recipe = read_recipe(*text, path.string());
    if (!recipe) return tl::make_unexpected(recipe.error());
    by_id[recipe->id] = std::move(*recipe);
  }
  std::vector<Recipe> recipes;
  for (auto& [id, recipe] : by_id) recipes.push_back(std::move(recipe));
  return recipes;
}

Result<const Recipe*> find_recipe(const std::vector<Recipe>& recipes, const std::string& id) {
  std::string ids;
  for (const Recipe& recipe : recipes) {
    if (recipe.id == id) return &recipe;
    ids += (ids.empty() ? "" : ", ") + recipe.id;
  }
  return fail(FailureKind::invalid_input, "\"" + id + "\" is none of the regions " + ids);
}

}  // namespace geo::offices
