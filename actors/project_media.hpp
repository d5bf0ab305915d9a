// A project's media: which there are, what a renderer needs to bring one, and why one is not to be had. The
// list of them asks the same functions as their addresses, so that the two never disagree.
#pragma once
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "actors/project_results.hpp"
#include "actors/project_shelf.hpp"
#include "actors/values.hpp"
#include "persistence/store.hpp"

namespace actors {

class ProjectMedia {
 public:
  ProjectMedia(const persistence::Store& store, const ProjectResults& results)
      : store_(store), results_(results) {}

  /// A MediaList, or a refusal. A project without a stored result has a list as well: it says that there is
  /// no image yet.
  Outcome list(const ProjectEntry& entry) const;
  /// What a renderer is asked for, or why the medium is not to be had.
  tl::expected<RenderOrder, Refusal> order(const ProjectEntry& entry, const QueryMedia& query) const;

 private:
  using SavedMedia = std::optional<persistence::SavedMedia>;  // nothing until its owner has saved the project
  tl::expected<RenderOrder, Refusal> image_order(const ProjectEntry& entry, const QueryMedia& query) const;
  tl::expected<RenderOrder, Refusal> file_order(const ProjectEntry& entry, MediaKind kind) const;
  persistence::Stored<SavedMedia> saved_media(const ProjectEntry& entry) const;

  const persistence::Store& store_;
  const ProjectResults& results_;
};

/// Everything that must be named with a picture of the analysis, each once, in the sources' order.
std::string attribution_of(const geo::RoofAnalysis& analysis);

}  // namespace actors
