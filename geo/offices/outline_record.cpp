#include "geo/offices/outline_record.hpp"

#include <charconv>
#include <fstream>
#include <set>
#include <sstream>

namespace geo::offices {
namespace {

std::filesystem::path path_of_record(const Source& source, const DataFolder& folder) {
  return folder.listings() / (source.id + ".made");
}

std::filesystem::path made_file_of(const Source& source, const DataFolder& folder) {
  return source.kind == DataKind::addresses ? folder.addresses_of(source) : folder.index_of(source);
}

std::optional<Box> box_in(const std::string& text) {
  std::istringstream numbers(text);
  Box box;
  if (!(numbers >> box.min_x >> box.min_y >> box.max_x >> box.max_y)) return {};
  return box;
}
void write_box(std::ostream& out, const Box& box) {
  out << box.min_x << ' ' << box.min_y << ' ' << box.max_x << ' ' << box.max_y;
}

/// False for a line that is no window.
bool read_window(const std::string& line, std::optional<Box>& window_deg) {
  if (line == "all") return true;
  window_deg = box_in(line);
  return window_deg.has_value();
}

FoundFile packet_in(const std::string& line) {
  FoundFile packet;
  std::istringstream parts(line);
  std::string date;
  std::getline(parts, packet.listed.url, '\t');
  std::getline(parts, packet.fields.key, '\t');
  std::getline(parts, packet.fields.id, '\t');
  std::getline(parts, date, '\t');
  std::from_chars(date.data(), date.data() + date.size(), packet.fields.date);
  std::string place;
  std::getline(parts, place, '\t');
  packet.listed.place = box_in(place);
  return packet;
}

std::set<std::string> urls_of(const OutlineRecord& record) {
  std::set<std::string> urls;
  for (const FoundFile& packet : record.packets) urls.insert(packet.listed.url);
  return urls;
}

}  // namespace

std::optional<OutlineRecord> read_outline_record(const Source& source, const DataFolder& folder) {
  std::error_code error;
  std::ifstream in(path_of_record(source, folder));
  if (!std::filesystem::exists(made_file_of(source, folder), error) || !in) return {};
  OutlineRecord record;
  std::string line;
  if (!std::getline(in, line) || !read_window(line, record.window_deg)) return {};
  while (std::getline(in, line)) record.packets.push_back(packet_in(line));
  return record;
}

Result<void> write_outline_record(const OutlineRecord& record, const Source& source,
                                  const DataFolder& folder) {
  std::ostringstream text;
  text.precision(17);
  if (record.window_deg)
    write_box(text, *record.window_deg);
  else
    text << "all";
  for (const FoundFile& packet : record.packets) {
    text << '\n'
         << packet.listed.url << '\t' << packet.fields.key << '\t' << packet.fields.id << '\t'
         << packet.fields.date << '\t';
    if (packet.listed.place) write_box(text, *packet.listed.place);
  }
  text << '\n';
  return write_whole(path_of_record(source, folder), text.str());
}

bool same_outlines(const OutlineRecord& a, const OutlineRecord& b) {
  return a.window_deg == b.window_deg && urls_of(a) == urls_of(b);
}

bool is_same_packet(const FoundFile& a, const FoundFile& b) {
  if (a.listed.url == b.listed.url) return true;
  const bool has_name = !a.fields.key.empty() || !a.fields.id.empty();
  if (has_name) return a.fields.key == b.fields.key && a.fields.id == b.fields.id;
  return a.listed.place && a.listed.place == b.listed.place;
}

}  // namespace geo::offices
