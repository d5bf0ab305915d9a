#include "geo/fetch/remote_zip.hpp"

#include <zip.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "geo/fetch/part_file.hpp"
#include "geo/fetch/url.hpp"

namespace geo {
namespace {

constexpr std::uint64_t kTail = 1 << 20;      // holds most directories
constexpr std::uint64_t kWindow = 16 << 20;   // of a member at a time
constexpr std::uint64_t kHeadRoom = 4 << 10;  // a member's own header
constexpr std::uint64_t kMostDirectory = 1 << 28;
constexpr double kMostUnpacked = 1'100;  // deflate makes no more of a byte

/// Stretches of a remote file that are held.
using Stretches = std::map<std::uint64_t, std::string>;

/// The file as libzip reads it: from what is held, else by a request for a window ahead.
struct RangeReader {
  Fetcher& fetcher;
  const std::string& url;
  const std::string& named_by;
  std::uint64_t size;
  const RunControl& control;
  Stretches held{};
  std::uint64_t ahead = kTail;
  bool keeps_all = false;
  std::uint64_t at = 0, fetched = 0;
  std::optional<FetchFailure> failure{};
  zip_error_t error{};
  std::optional<std::uint64_t> window{};  ///< where the only stretch that is not kept begins

  /// The held bytes from `at` on; empty when there are none.
  std::string_view here() const {
    auto next = held.upper_bound(at);
    if (next == held.begin()) return {};
    const auto& [begin, bytes] = *std::prev(next);
    return at < begin + bytes.size() ? std::string_view(bytes).substr(at - begin) : std::string_view();
  }

  bool look_ahead() {
    const std::uint64_t count = std::min(size - at, std::clamp<std::uint64_t>(ahead, 1, kWindow));
    fetched += count;
    if (keeps_all && fetched > kMostDirectory) {
      failure = fetch_failure(FailureKind::data_unreachable,
                              shown_url(url) + " has a directory larger than any ZIP file's should be");
      return false;
    }
    auto bytes = fetcher.bytes(url, {at, count}, control, named_by);
    if (!bytes) {
      failure = bytes.error();
      return false;
    }
    if (window) held.erase(*window);
    if (!keeps_all) window = at;
    held[at] = *std::move(bytes);
    return true;
  }

  zip_int64_t read(char* into, std::uint64_t count) {
    const std::uint64_t wanted = std::min(count, size - std::min(size, at));
    for (std::uint64_t done = 0; done < wanted;) {
      std::string_view bytes = here();
      if (bytes.empty()) {
        if (!look_ahead()) {
          zip_error_set(&error, ZIP_ER_READ, 0);
          return -1;
        }
        bytes = here();
      }
      const std::uint64_t part = std::min<std::uint64_t>(bytes.size(), wanted - done);
      std::memcpy(into + done, bytes.data(), part);
      done += part;
      at += part;
    }
    return static_cast<zip_int64_t>(wanted);
  }
};

zip_int64_t read_for_libzip(void* state, void* data, zip_uint64_t length, zip_source_cmd_t command) {
  auto& reader = *static_cast<RangeReader*>(state);
  switch (command) {
    case ZIP_SOURCE_SUPPORTS:
      return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE,
                                            ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE,
                                            ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, -1);
    case ZIP_SOURCE_OPEN:
      reader.at = 0;
      return 0;
    case ZIP_SOURCE_READ:
      return reader.read(static_cast<char*>(data), length);
    case ZIP_SOURCE_STAT: {
      auto* stat = static_cast<zip_stat_t*>(data);
      zip_stat_init(stat);
      stat->size = reader.size;
      stat->valid |= ZIP_STAT_SIZE;
      return sizeof *stat;
    }
    case ZIP_SOURCE_SEEK: {
      const zip_int64_t at =
          zip_source_seek_compute_offset(reader.at, reader.size, data, length, &reader.error);
      if (at < 0) return -1;
      reader.at = static_cast<std::uint64_t>(at);
      return 0;
    }
    case ZIP_SOURCE_TELL:
      return static_cast<zip_int64_t>(reader.at);
    case ZIP_SOURCE_ERROR:
      return zip_error_to_data(&reader.error, data, length);
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_FREE:
      return 0;
    default:
      zip_error_set(&reader.error, ZIP_ER_OPNOTSUPP, 0);
      return -1;
  }
}

struct ZipCloser {
  void operator()(zip_t* zip) const { zip_discard(zip); }
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};
using ZipHandle = std::unique_ptr<zip_t, ZipCloser>;
using MemberHandle = std::unique_ptr<zip_file_t, ZipCloser>;

/// The network's reason, if that was it, else libzip's words.
FetchFailure zip_trouble(const RangeReader& reader, const char* words) {
  if (reader.failure) return *reader.failure;
  return fetch_failure(FailureKind::data_unreachable, shown_url(reader.url) +
                                                          " is no ZIP file that can be read (" + words +
                                                          "): see whether the office has changed it");
}

FetchResult<ZipHandle> opened_zip(RangeReader& reader) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_function_create(read_for_libzip, &reader, &error);
  ZipHandle zip(source ? zip_open_from_source(source, ZIP_RDONLY, &error) : nullptr);
  if (zip) return zip;
  const std::string words = zip_error_strerror(&error);
  zip_error_fini(&error);
  if (source) zip_source_free(source);
  return tl::make_unexpected(zip_trouble(reader, words.c_str()));
}

/// Whoever makes a file's name of it must not be led elsewhere.
bool leads_out_of_folder(std::string_view name) {
  if (name.starts_with('/') || name.find('\\') != std::string_view::npos) return true;
  for (const char c : name)
    if (static_cast<unsigned char>(c) < 0x20) return true;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    if (name.substr(begin, end - begin) == "..") return true;
    begin = end + 1;
  }
  return false;
}

}  // namespace

struct RemoteZip::Remote {
  Fetcher& fetcher;
  std::string url, named_by;
  std::uint64_t size = 0;
  Stretches directory{};
};

FetchResult<RemoteZip> RemoteZip::open(Fetcher& fetcher, const std::string& url, const RunControl& control,
                                       const std::string& named_by) {
  const auto probe = fetcher.probe(url, control, named_by);
  if (!probe) return tl::make_unexpected(probe.error());
  if (!probe->serves_ranges || !probe->bytes)
    return tl::make_unexpected(
        fetch_failure(FailureKind::data_unreachable,
                      shown_url(url) + " cannot be had in parts from its server: fetch the whole file"));
  auto remote = std::make_shared<Remote>(Remote{fetcher, url, named_by, *probe->bytes});
  RangeReader reader{fetcher, remote->url, remote->named_by, remote->size, control};
  reader.keeps_all = true;
  // libzip looks for the directory's end first: with that comes, mostly, all of it.
  reader.at = remote->size - std::min(remote->size, kTail);
  if (remote->size > 0 && !reader.look_ahead()) return tl::make_unexpected(*reader.failure);
  const auto zip = opened_zip(reader);
  if (!zip) return tl::make_unexpected(zip.error());

  std::vector<ZipMember> members;
  const zip_int64_t count = zip_get_num_entries(zip->get(), 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    zip_stat_t stat;
    const auto index = static_cast<zip_uint64_t>(i);
    constexpr zip_uint64_t kNeeded = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE;
    if (zip_stat_index(zip->get(), index, 0, &stat) != 0 || (stat.valid & kNeeded) != kNeeded)
      return tl::make_unexpected(zip_trouble(reader, zip_strerror(zip->get())));
    const std::string_view name = stat.name;
    if (leads_out_of_folder(name))
      return tl::make_unexpected(fetch_failure(
          FailureKind::data_unreachable,
          shown_url(url) + " has a member whose name leads out of its folder: it is not to be trusted"));
    if (!name.ends_with('/')) members.push_back({stat.name, index, stat.size, stat.comp_size});
  }
  remote->directory = std::move(reader.held);
  RemoteZip result(std::move(remote));
  result.members_ = std::move(members);
  return result;
}

FetchResult<FetchedFile> RemoteZip::fetch(const ZipMember& member, const MemberRequest& request,
                                          const RunControl& control) const {
  const std::string shown = shown_url(remote_->url) + ", member " + member.name;
  std::error_code ignored;
  if (!request.replace && std::filesystem::is_regular_file(request.target, ignored) &&
      std::filesystem::file_size(request.target, ignored) == member.bytes)
    return FetchedFile{member.bytes, {}, {}, true};
  const double most = static_cast<double>(member.packed_bytes + kHeadRoom) * kMostUnpacked;
  if (member.bytes > request.most_bytes || static_cast<double>(member.bytes) > most)
    return tl::make_unexpected(fetch_failure(
        FailureKind::data_unreachable,
        shown + " would have " + std::to_string(member.bytes) + " bytes: it is not to be trusted"));

  RangeReader reader{remote_->fetcher, remote_->url, remote_->named_by, remote_->size, control};
  reader.held = remote_->directory;
  reader.ahead = member.packed_bytes + kHeadRoom;
  const auto zip = opened_zip(reader);
  if (!zip) return tl::make_unexpected(zip.error());
  const MemberHandle file(zip_fopen_index(zip->get(), member.index, 0));
  if (!file) return tl::make_unexpected(zip_trouble(reader, zip_strerror(zip->get())));

  auto part = PartFile::open(request.target, remote_->url + "#" + member.name);
  if (!part) return tl::make_unexpected(part.error());
  if (auto failure = part->begin({}, member.bytes)) return tl::make_unexpected(*std::move(failure));
  bool right_size = true;
  std::string piece(std::min<std::uint64_t>(std::max<std::uint64_t>(member.bytes, 1), 1 << 20), '\0');
  // To the end: only there is the CRC compared.
  for (zip_int64_t count = 1; count > 0 && right_size;) {
    if (control.cancelled())
      return tl::make_unexpected(fetch_failure(FailureKind::cancelled, shown + ": the fetch was stopped"));
    count = zip_fread(file.get(), piece.data(), piece.size());
    if (count < 0) {
      part->discard();
      return tl::make_unexpected(zip_trouble(reader, zip_file_strerror(file.get())));
    }
    right_size = part->bytes() + static_cast<std::uint64_t>(count) <= member.bytes;
    if (right_size)
      if (auto failure = part->add({piece.data(), static_cast<std::size_t>(count)}))
        return tl::make_unexpected(*std::move(failure));
  }
  right_size = right_size && part->bytes() == member.bytes;
  const std::string beginning = part->first_bytes(std::min<std::uint64_t>(kContentBytes, part->bytes()));
  if (!right_size || !looks_like(request.content, beginning)) {
    part->discard();
    return tl::make_unexpected(
        fetch_failure(FailureKind::data_unreachable,
                      shown +
                          (right_size ? " is not " + name_of(request.content)
                                      : " has another size than the ZIP file's directory says") +
                          ": see whether the office has changed it"));
  }
  if (auto failure = part->finish()) return tl::make_unexpected(*std::move(failure));
  return FetchedFile{member.bytes, {}, {}, false};
}

}  // namespace geo
