#include "geo/offices/zip_reading.hpp"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <memory>

#include "geo/data/gdal.hpp"
#include "geo/lower_case.hpp"
#include "geo/offices/disk.hpp"

namespace geo::offices {
namespace {

constexpr std::size_t kLocalHeader = 30;
constexpr std::uint64_t kLargestMember = 2ULL << 30U;  // unpacked, in memory
constexpr int kMostMembers = 100'000;

struct VsiCloser {
  void operator()(VSILFILE* file) const { VSIFCloseL(file); }
};
using VsiFile = std::unique_ptr<VSILFILE, VsiCloser>;

std::uint32_t le32(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
  return value;
}
std::size_t le16(std::string_view bytes, std::size_t at) {
  return static_cast<std::size_t>(static_cast<unsigned char>(bytes[at])) |
         static_cast<std::size_t>(static_cast<unsigned char>(bytes[at + 1])) << 8U;
}

tl::unexpected<Failure> broken(const ZipMember& member, const std::string& why) {
  return fail(FailureKind::invalid_input, member.name + ": " + why);
}

}  // namespace

Result<std::vector<std::string>> members_ending(const std::filesystem::path& zip,
                                                const std::vector<std::string>& endings) {
  register_gdal_drivers();
  const GdalErrors unheard;
  const std::string inside = "/vsizip/{" + zip.string() + "}";
  const CPLStringList names(VSIReadDirRecursive(inside.c_str()));
  std::vector<std::string> paths;
  for (int i = 0; i < names.Count() && i < kMostMembers; ++i) {
    const std::string small = lower_case(names[i]);
    if (std::any_of(endings.begin(), endings.end(),
                    [&](const std::string& end) { return small.ends_with(end); }))
      paths.push_back(inside + "/" + names[i]);
  }
  std::sort(paths.begin(), paths.end());
  if (names.Count() == 0)
    return fail(FailureKind::invalid_input, zip.string() + ": is no ZIP that can be read");
  if (paths.empty()) {
    std::string wanted;
    for (const std::string& end : endings) wanted += (wanted.empty() ? "" : ", ") + end;
    return fail(FailureKind::invalid_input, zip.string() + ": holds no file that ends with " + wanted);
  }
  return paths;
}

Result<void> copy_out(const std::string& from, const std::filesystem::path& to) {
  constexpr std::size_t kPiece = 1U << 20U;
  const GdalErrors unheard;
  const VsiFile in(VSIFOpenL(from.c_str(), "rb"));
  if (!in) return fail(FailureKind::invalid_input, from + ": cannot be read");
  VSIStatBufL stat{};
  if (VSIStatL(from.c_str(), &stat) != 0) return fail(FailureKind::invalid_input, from + ": cannot be read");
  const auto unwritten = [&] {
    const auto size = static_cast<std::uint64_t>(stat.st_size);
    return not_written(to, error_of_writing(to.parent_path(), size));
  };
  VsiFile out(VSIFOpenL(to.c_str(), "wb"));
  if (!out) return unwritten();
  std::string piece(kPiece, '\0');
  std::uint64_t copied = 0;
  while (const std::size_t got = VSIFReadL(piece.data(), 1, piece.size(), in.get())) {
    if (VSIFWriteL(piece.data(), 1, got, out.get()) != got) return unwritten();
    copied += got;
  }
  if (VSIFCloseL(out.release()) != 0) return unwritten();
  if (copied != static_cast<std::uint64_t>(stat.st_size))
    return fail(FailureKind::invalid_input, from + ": is damaged, it ends too early");
  return {};
}

std::uint64_t bytes_of_member(const ZipMember& member, std::string_view header) {
  constexpr std::size_t kUsualExtra = 64;
  const bool told = header.size() >= kLocalHeader;
  const std::size_t names = told ? le16(header, 26) + le16(header, 28) : member.name.size() + kUsualExtra;
  return kLocalHeader + names + member.stored;
}

Result<std::string> member_content(const ZipMember& member, std::string_view bytes) {
  constexpr std::uint32_t kLocalMark = 0x04034b50;
  if (bytes.size() < kLocalHeader || le32(bytes, 0) != kLocalMark)
    return broken(member, "is not where the ZIP says");
  const std::size_t begins = kLocalHeader + le16(bytes, 26) + le16(bytes, 28);
  if (begins + member.stored > bytes.size()) return broken(member, "is longer than the ZIP says");
  if (member.size > kLargestMember) return broken(member, "is larger than a tile may be");
  const std::string_view packed = bytes.substr(begins, member.stored);
  std::string content(member.size, '\0');
  if (member.method == 0) {
    if (member.size != member.stored) return broken(member, "has two sizes");
    content = packed;
  } else {
    z_stream stream{};
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(content.data());
    stream.avail_out = static_cast<uInt>(content.size());
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return broken(member, "cannot be unpacked");
    const int end = inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    if (end != Z_STREAM_END || stream.total_out != content.size())
      return broken(member, "is damaged, it cannot be unpacked");
  }
  const auto sum =
      crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size()));
  if (sum != member.crc) return broken(member, "is damaged, its sum is another");
  return content;
}

}  // namespace geo::offices
