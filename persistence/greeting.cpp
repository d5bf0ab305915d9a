#include "persistence/greeting.hpp"

#include <algorithm>
#include <sstream>

#include "persistence/channel.hpp"
#include "persistence/database.hpp"
#include "persistence/keys.hpp"

namespace persistence {

std::string greeting_bytes(const Greeting& greeting) {
  return FrameWriter()
      .number(Greeting::kVersion)
      .text(greeting.name)
      .text(greeting.group)
      .number(greeting.schema)
      .number(greeting.newest)
      .text(history_bytes(greeting.history))
      .text(greeting.tables)
      .bytes();
}

std::string old_greeting_bytes(const Greeting& greeting) {
  std::string history;
  for (const Stretch& stretch : greeting.history)
    history += number_key(stretch.epoch) + number_key(stretch.first);
  return FrameWriter()
      .number(1)
      .text(greeting.name)
      .number(greeting.newest)
      .text(history)
      .text(greeting.tables)
      .bytes();
}

std::optional<Greeting> greeting_of(std::string_view bytes) {
  FrameReader reader(bytes);
  Greeting greeting;
  if (reader.number() != Greeting::kVersion) return {};
  greeting.name = reader.text();
  greeting.group = reader.text();
  greeting.schema = reader.number();
  greeting.newest = reader.number();
  greeting.history = stretches_of(reader.text());
  greeting.tables = reader.text();
  return reader.whole() ? std::optional(std::move(greeting)) : std::nullopt;
}

bool is_beginning(const std::vector<Stretch>& of, std::uint64_t of_newest,
                  const std::vector<Stretch>& history, std::uint64_t newest) {
  if (of.empty()) return false;
  const auto common = std::find(history.begin(), history.end(), of.back());
  if (common == history.end()) return false;
  const auto next = std::next(common);
  return of_newest <= newest && (next == history.end() || of_newest < next->first);
}

bool has_tables(const std::string& standby, const std::string& primary) {
  std::istringstream tables(primary);
  for (std::string table; std::getline(tables, table, ',');)
    if (("," + standby).find("," + table + ",") == std::string::npos) return false;
  return true;
}

}  // namespace persistence
