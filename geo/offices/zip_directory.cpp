// The table of contents of a ZIP, read without the ZIP (PKWARE's APPNOTE 6.3, 4.3.12 to 4.3.16, with ZIP64).
#include <algorithm>

#include "geo/offices/listing_forms.hpp"

namespace geo::offices {
namespace {

constexpr std::uint32_t kEndMark = 0x06054b50, kEnd64Mark = 0x06064b50, kEnd64PlaceMark = 0x07064b50,
                        kMemberMark = 0x02014b50;
constexpr std::size_t kEndBytes = 22, kEnd64Bytes = 56, kEnd64PlaceBytes = 20, kMemberBytes = 46;
constexpr std::uint16_t kZip64Extra = 1;
constexpr std::uint32_t kIn64 = 0xFFFFFFFF;
constexpr std::uint16_t kEncrypted = 1;

/// Little-endian numbers out of bytes that are long enough.
template <class T>
T number_at(std::string_view bytes, std::size_t at) {
  T value = 0;
  for (std::size_t i = sizeof(T); i-- > 0;)
    value = static_cast<T>((value << 8U) | static_cast<unsigned char>(bytes[at + i]));
  return value;
}
std::uint16_t u16(std::string_view bytes, std::size_t at) {
  return static_cast<std::uint16_t>(static_cast<unsigned char>(bytes[at]) |
                                    static_cast<unsigned char>(bytes[at + 1]) << 8);
}
std::uint32_t u32(std::string_view bytes, std::size_t at) { return number_at<std::uint32_t>(bytes, at); }
std::uint64_t u64(std::string_view bytes, std::size_t at) { return number_at<std::uint64_t>(bytes, at); }

/// Sizes and place that do not fit into 32 bits, in the order of those that are marked so.
bool take_zip64(std::string_view extra, ZipMember& member) {
  while (extra.size() >= 4) {
    const std::size_t length = u16(extra, 2);
    if (length + 4 > extra.size()) return false;
    if (u16(extra, 0) == kZip64Extra) {
      std::string_view rest = extra.substr(4, length);
      for (std::uint64_t* value : {&member.size, &member.stored, &member.offset}) {
        if (*value != kIn64) continue;
        if (rest.size() < 8) return false;
        *value = u64(rest, 0);
        rest.remove_prefix(8);
      }
      return true;
    }
    extra.remove_prefix(length + 4);
  }
  return member.size != kIn64 && member.stored != kIn64 && member.offset != kIn64;
}

tl::unexpected<Failure> no_zip(const std::string& url, const std::string& why) {
  return fail(FailureKind::invalid_input, url + ": is no ZIP that can be read (" + why + ")");
}

}  // namespace

Result<ZipDirectory> find_zip_directory(std::string_view tail, std::uint64_t size, const std::string& url) {
  if (tail.size() < kEndBytes || tail.size() > size) return no_zip(url, "it is too short");
  std::size_t at = tail.size() - kEndBytes + 1;
  while (at-- > 0)
    if (u32(tail, at) == kEndMark) break;
  if (at == std::string_view::npos) return no_zip(url, "its table of contents is missing");
  ZipDirectory directory{u32(tail, at + 16), u32(tail, at + 12), u16(tail, at + 10)};
  if (at >= kEnd64PlaceBytes && u32(tail, at - kEnd64PlaceBytes) == kEnd64PlaceMark) {
    const std::uint64_t place = u64(tail, at - kEnd64PlaceBytes + 8);
    const std::uint64_t tail_begins = size - tail.size();
    if (place < tail_begins || tail.size() < kEnd64Bytes || place - tail_begins > tail.size() - kEnd64Bytes ||
        u32(tail, place - tail_begins) != kEnd64Mark)
      return no_zip(url, "the end of its table of contents is not where it should be");
    const std::string_view end = tail.substr(place - tail_begins);
    directory = {u64(end, 48), u64(end, 40), u64(end, 32)};
  }
  if (directory.offset > size || directory.bytes > size - directory.offset)
    return no_zip(url, "its table of contents is not within it");
  if (directory.members > kMostListed || directory.bytes / kMemberBytes < directory.members)
    return no_zip(url, "its number of members cannot be right");
  return directory;
}

Result<Listing> read_zip_directory(std::string_view directory, const std::string& url) {
  Listing listing;
  while (directory.size() >= kMemberBytes && u32(directory, 0) == kMemberMark) {
    ZipMember member;
    member.method = u16(directory, 10);
    member.crc = u32(directory, 16);
    member.stored = u32(directory, 20);
    member.size = u32(directory, 24);
    member.offset = u32(directory, 42);
    const std::size_t name = u16(directory, 28), extra = u16(directory, 30), comment = u16(directory, 32);
    if (kMemberBytes + name + extra + comment > directory.size())
      return no_zip(url, "its table of contents is cut off");
    member.name = directory.substr(kMemberBytes, name);
    const bool sound = take_zip64(directory.substr(kMemberBytes + name, extra), member);
    const bool readable = !(u16(directory, 8) & kEncrypted) && (member.method == 0 || member.method == 8);
    if (sound && readable && !member.name.ends_with("/")) {
      ListedFile file;
      file.url = url + "#" + member.name;
      file.bytes = member.stored;
      file.member = std::move(member);
      listing.files.push_back(std::move(file));
    }
    if (listing.files.size() > kMostListed) return no_zip(url, "it has too many members");
    directory.remove_prefix(kMemberBytes + name + extra + comment);
  }
  if (listing.files.empty()) return no_zip(url, "its table of contents holds no file");
  return listing;
}

}  // namespace geo::offices
