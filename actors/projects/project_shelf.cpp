#include "actors/projects/project_shelf.hpp"

#include "actors/refusal.hpp"
#include "geo/addresses/pieces.hpp"
#include "persistence/keys.hpp"

namespace actors {

using persistence::Stored;
using persistence::StoreFault;
using persistence::Table;

namespace {

ProjectLine line_of(const persistence::Project& p) {
  return {p.id,       p.name,      p.house_number.empty() ? p.street : p.street + " " + p.house_number,
          p.postcode, p.town,      p.lat_deg,
          p.lon_deg,  p.created_ms};
}

/// Whether the project's name or its address, with or without the postcode, contains `wanted`, however both
/// are written.
bool is_about(const persistence::Project& p, const std::string& wanted) {
  const std::string house = p.street + " " + p.house_number;
  for (const std::string& text : {p.name, house + ", " + p.postcode + " " + p.town, house + ", " + p.town})
    if (geo::normal_address_text(text).find(wanted) != std::string::npos) return true;
  return false;
}

constexpr int kSearchedAtOnce = 2'000;  // projects that one request looks at, so that others have their turn

}  // namespace

Stored<ProjectEntry*> ProjectShelf::find(std::uint64_t account, std::uint64_t project) {
  if (leaving_.contains(project)) return nullptr;
  const auto it = active_.find(project);
  ProjectEntry* known = it != active_.end() ? &it->second : idle_.find(project);
  if (!known) {
    auto loaded = load(account, project);
    if (!loaded) return tl::make_unexpected(loaded.error());
    if (!*loaded) return nullptr;
    put(std::move(**loaded));
    return find(account, project);
  }
  return known->project.account == account ? known : nullptr;
}

void ProjectShelf::put(ProjectEntry entry) {
  const std::uint64_t project = entry.project.id;
  if (entry.active()) {
    idle_.erase(project);
    active_.insert_or_assign(project, std::move(entry));
  } else {
    active_.erase(project);
    idle_.put(project, std::move(entry));
  }
}

void ProjectShelf::erased(std::uint64_t project) {
  leaving_.erase(project);
  active_.erase(project);
  idle_.erase(project);
}

Stored<std::optional<std::uint64_t>> ProjectShelf::by_address(const std::string& key) const {
  return store_.get(Table::addresses, key).map([](const std::optional<std::string>& bytes) {
    return bytes ? std::optional(persistence::number_at(*bytes, 0)) : std::nullopt;
  });
}

Stored<bool> ProjectShelf::has_projects(std::uint64_t account) const {
  const auto used =
      store_.get(Table::addresses, persistence::address_key(account, persistence::AddressKind::used, {}));
  if (!used) return tl::make_unexpected(used.error());
  bool any = used->has_value();
  const auto scanned =
      store_.scan(Table::projects, persistence::number_key(account), persistence::Store::Order::ascending, {},
                  [&any](std::string_view, std::string_view) {
                    any = true;
                    return false;
                  });
  if (!scanned) return tl::make_unexpected(scanned.error());
  return any;
}

Stored<ProjectPage> ProjectShelf::page(std::uint64_t account, const ListProjects& order) const {
  ProjectPage page;
  const std::string wanted = geo::normal_address_text(order.search);
  int searched = 0;
  const std::string from = order.before ? persistence::project_key(account, order.before) : std::string();
  bool readable = true;
  const auto scanned =
      store_.scan(Table::projects, persistence::number_key(account), persistence::Store::Order::descending,
                  from, [&](std::string_view, std::string_view value) {
                    page.more = page.projects.size() == static_cast<std::size_t>(order.limit) ||
                                (!wanted.empty() && searched++ == kSearchedAtOnce);
                    if (page.more) return false;
                    const auto project = persistence::decode_project(std::string(value));
                    readable &= project.has_value();
                    if (!project) return true;
                    page.before = project->id;
                    if (!leaving_.contains(project->id) && (wanted.empty() || is_about(*project, wanted)))
                      page.projects.push_back(line_of(*project));
                    return true;
                  });
  if (!scanned || !readable) return tl::make_unexpected(StoreFault::unreadable);
  return page;
}

Stored<std::optional<ProjectEntry>> ProjectShelf::load(std::uint64_t account, std::uint64_t project) const {
  const std::string key = persistence::project_key(account, project);
  const auto project_bytes = store_.get(Table::projects, key);
  const auto run_bytes = store_.get(Table::runs, key);
  if (!project_bytes || !run_bytes) return tl::make_unexpected(StoreFault::unreadable);
  if (!*project_bytes) return std::optional<ProjectEntry>{};
  auto record = persistence::decode_project(**project_bytes);
  auto run = *run_bytes ? persistence::decode_run(**run_bytes) : std::nullopt;
  if (!record || !run) return tl::make_unexpected(StoreFault::unreadable);
  if (run->state == persistence::RunState::running) {
    // Running runs are always kept in memory. The disk refused the end of this one, and the cache has dropped
    // it since: the run has failed.
    run->state = persistence::RunState::failed;
    run->failure_code = name_of(Code::interner_fehler);
  }
  return ProjectEntry{std::move(*record), std::move(*run)};
}

}  // namespace actors
