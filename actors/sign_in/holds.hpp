// Names that one deed holds at a time: an e-mail address that gets an account, a link that is being used, an
// account whose record changes. The name is free when the Hold's last copy is gone, so
// whatever waits for the disk keeps one.
#pragma once
#include <memory>
#include <set>
#include <string>

namespace actors {

using Hold = std::shared_ptr<void>;

class Holds {
 public:
  /// Null when it is held already.
  Hold take(const std::string& name) {
    if (!held_->insert(name).second) return nullptr;
    return {held_.get(), [held = held_, name](void*) { held->erase(name); }};
  }
  bool held(const std::string& name) const { return held_->contains(name); }

 private:
  std::shared_ptr<std::set<std::string>> held_ = std::make_shared<std::set<std::string>>();
};

}  // namespace actors
