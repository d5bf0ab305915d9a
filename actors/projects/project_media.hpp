// A project's media: which exist, what a renderer needs to make one, and why one is not available. The list
// of media calls the same functions as their addresses, so that the two never disagree.
#pragma once
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "actors/projects/project_results.hpp"
#include "actors/projects/project_shelf.hpp"
#include "actors/values.hpp"
#include "persistence/store.hpp"

namespace actors {

class ProjectMedia {
 public:
  ProjectMedia(const persistence::Store& store, const ProjectResults& results)
      : store_(store), results_(results) {}

  /// A MediaList, or a refusal. A project without a stored result has a list too: it says that there is no
  /// image yet.
  Outcome list(const ProjectEntry& entry) const;
  /// The order for a renderer, or why the medium is not available.
  tl::expected<RenderOrder, Refusal> order(const ProjectEntry& entry, const QueryMedia& query) const;

 private:
  using SavedMedia = std::optional<persistence::SavedMedia>;  // nothing until its owner has saved the project
  tl::expected<RenderOrder, Refusal> image_order(const ProjectEntry& entry, const QueryMedia& query) const;
  tl::expected<RenderOrder, Refusal> file_order(const ProjectEntry& entry, MediaKind kind) const;
  persistence::Stored<SavedMedia> saved_media(const ProjectEntry& entry) const;

  const persistence::Store& store_;
  const ProjectResults& results_;
};

/// The attributions that a picture of the analysis must carry, each once, in the order of the sources.
std::string attribution_of(const geo::RoofAnalysis& analysis);

}  // namespace actors
