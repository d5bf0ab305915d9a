// All recipes: those inside the program, and the operator's own in their place or beside them.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "geo/offices/recipe.hpp"

namespace geo::offices {

/// By id. `own`: a folder with the operator's files (*.json); need not be there. Fails with the first of them
/// that cannot be read.
Result<std::vector<Recipe>> all_recipes(const std::filesystem::path& own);

/// The one of this id; invalid_input, with the ids that there are, for another.
Result<const Recipe*> find_recipe(const std::vector<Recipe>& recipes, const std::string& id);

}  // namespace geo::offices
