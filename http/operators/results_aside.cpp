#include "http/operators/results_aside.hpp"

#include <filesystem>
#include <fstream>

#include "persistence/keys.hpp"

namespace http {

namespace fs = std::filesystem;

tl::expected<std::string, std::string> export_aside(const persistence::Store& store, std::uint64_t account,
                                                    std::uint64_t project, const std::string& directory) {
  constexpr std::size_t kWhenAt = 16;  // after account and project
  std::string written, fault;
  std::error_code error;
  fs::create_directories(directory, error);
  const auto scanned =
      store.scan(persistence::Table::aside, persistence::project_key(account, project),
                 persistence::Store::Order::ascending, {}, [&](std::string_view key, std::string_view bytes) {
                   const std::string file = directory + "/" + std::to_string(project) + "-" +
                                            std::to_string(persistence::number_at(key, kWhenAt)) + ".result";
                   if (fs::exists(file, error)) {
                     fault = file + ": is there already";
                   } else if (!(std::ofstream(file, std::ios::binary) << bytes).flush()) {
                     fault = file + ": cannot be written";
                   }
                   written += (written.empty() ? "" : "\n") + file;
                   return fault.empty();
                 });
  if (!scanned) return tl::make_unexpected(std::string("the data directory cannot be read"));
  if (!fault.empty()) return tl::make_unexpected(fault);
  if (written.empty())
    return tl::make_unexpected("project " + std::to_string(project) + " has nothing aside");
  return written;
}

}  // namespace http
