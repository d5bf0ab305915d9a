#include "persistence/copy_list.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>

#include "geo/fetch/sha256.hpp"

namespace persistence {
namespace {

namespace fs = std::filesystem;

constexpr auto kList = "/files.sha256";
constexpr std::size_t kDigits = 64, kBetween = 2;  // two blanks: sha256sum's text mode

std::optional<std::string> sum_of(const fs::path& file) {
  const int opened = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (opened < 0) return {};
  std::string sum = geo::sha256_of_file(opened);
  ::close(opened);
  return sum.size() == kDigits ? std::optional(std::move(sum)) : std::nullopt;
}

bool put_on_disk(const std::string& path) {
  const int opened = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = opened >= 0 && ::fsync(opened) == 0;
  if (opened >= 0) ::close(opened);
  return synced;
}

}  // namespace

tl::expected<void, std::string> write_copy_list(const std::string& directory) {
  const std::string list = directory + kList;
  std::ofstream out(list, std::ios::binary);
  std::map<std::string, std::string> sums;  // by name, so that the list is the same each time
  for (const auto& entry : fs::directory_iterator(directory + "/store")) {
    if (!entry.is_regular_file()) continue;
    const auto sum = sum_of(entry.path());
    if (!sum) return tl::make_unexpected(entry.path().string() + " cannot be read");
    sums["store/" + entry.path().filename().string()] = *sum;
  }
  for (const auto& [name, sum] : sums) out << sum << std::string(kBetween, ' ') << name << "\n";
  out.close();
  if (!out || !put_on_disk(list)) return tl::make_unexpected(list + " cannot be written");
  return {};
}

tl::expected<void, std::string> check_copy_list(const std::string& directory, const std::string& store) {
  std::ifstream in(directory + kList, std::ios::binary);
  if (!in) return {};
  const std::string folder = "store/";
  std::set<std::string> listed;
  for (std::string line; std::getline(in, line);) {
    if (line.size() <= kDigits + kBetween + folder.size())
      return tl::make_unexpected(directory + kList + " is damaged");
    const std::string name = line.substr(kDigits + kBetween);
    const fs::path file = fs::path(store) / name.substr(folder.size());
    if (sum_of(file) != line.substr(0, kDigits))
      return tl::make_unexpected(directory + "/" + name + " is not as the backup wrote it");
    listed.insert(file.filename().string());
  }
  // A list may have lost its end on the way, too.
  for (const auto& entry : fs::directory_iterator(store))
    if (!listed.count(entry.path().filename().string()))
      return tl::make_unexpected(directory + kList + " does not name " + entry.path().filename().string());
  return {};
}

void drop_copy_list(const std::string& directory) {
  std::error_code ignored;
  fs::remove(directory + kList, ignored);
}

}  // namespace persistence
