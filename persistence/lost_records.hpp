// What of a project lies in a file that is gone.
#pragma once
#include <cstdint>

#include "persistence/store.hpp"

namespace persistence {

/// Large records of a project in files that are gone or no whole files any more: its result with the scene
/// that the pictures are drawn from, what was saved of it, or a scene alone. A damaged record that can still
/// be copied is none, nor is one that the disk does not give now.
struct LostRecords {
  bool result = false, scene = false, saved = false;
  bool any() const { return result || scene || saved; }
};
LostRecords lost_records_of(const Store& store, std::uint64_t account, std::uint64_t project);

/// Erases what is lost, and what is worth nothing without it.
Writes erasures_of(const LostRecords& lost, std::uint64_t account, std::uint64_t project);

}  // namespace persistence
