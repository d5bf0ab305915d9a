// Where an address index keeps its bytes: numbered pages, in memory or in a file (index_file.hpp).
// What the pages hold stands in index.hpp.
#pragma once
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace geo {

using PageId = std::uint64_t;
/// Takes the pages of an index, ascending.
using PageSink = std::function<void(PageId, std::string_view)>;

inline constexpr const char* kImportAgain = ": import it again (import-addresses)";

/// Pages that are not as they were written. The text names the file and what to do.
struct DamagedPages : std::runtime_error {
  explicit DamagedPages(const std::string& name, const std::string& why = "is damaged")
      : std::runtime_error(name + ": " + why + kImportAgain) {}
};

/// Immutable, so any number of threads may read.
class AddressPages {
 public:
  /// `name`: the file.
  explicit AddressPages(std::string name) : name_(std::move(name)) {}
  AddressPages(const AddressPages&) = delete;
  AddressPages& operator=(const AddressPages&) = delete;
  virtual ~AddressPages() = default;

  /// False when there is no such page. Throws DamagedPages.
  virtual bool read(PageId id, std::string& bytes) const = 0;
  /// The pages from `first` to `last`, ascending, until `take` returns false. `take` asks for no page itself.
  /// Throws DamagedPages.
  virtual void visit(PageId first, PageId last,
                     const std::function<bool(PageId, std::string_view)>& take) const = 0;
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

class PagesInMemory : public AddressPages {
 public:
  PagesInMemory() : AddressPages("an address index in memory") {}
  /// Ascending.
  void add(PageId id, std::string_view bytes) { pages_.emplace_back(id, bytes); }

  bool read(PageId id, std::string& bytes) const override;
  void visit(PageId first, PageId last,
             const std::function<bool(PageId, std::string_view)>& take) const override;

 private:
  using Page = std::pair<PageId, std::string>;
  std::vector<Page>::const_iterator from(PageId id) const;
  std::vector<Page> pages_;
};

}  // namespace geo
