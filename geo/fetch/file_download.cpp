#include "geo/fetch/file_download.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "geo/fetch/sha256.hpp"
#include "geo/fetch/url.hpp"

namespace geo {
namespace {

constexpr std::uint64_t kKeptFree = 256ull << 20;  // of the disk, for everyone else
constexpr std::uint64_t kRoomStep = 64ull << 20;   // so often is looked where the size is not told
constexpr int kRangeNotSatisfiable = 416;

std::string sum_of_file(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  std::string sum = sha256_of_file(file);
  ::close(file);
  return sum;
}

bool is_short(const PartFile& part) { return part.whole() && part.bytes() < *part.whole(); }

}  // namespace

FileDownload::FileDownload(Network& network, const FileRequest& request,
                           std::function<void(std::size_t)> on_bytes)
    : network_(network),
      request_(request),
      shown_(shown_url(request.url)),
      sum_(normal_sha256(request.sha256)),
      on_bytes_(std::move(on_bytes)) {}

std::optional<FetchedFile> FileDownload::already_there() const {
  std::error_code error;
  if (request_.replace || !std::filesystem::is_regular_file(request_.target, error)) return {};
  const std::uint64_t bytes = std::filesystem::file_size(request_.target, error);
  if (error || (request_.size && bytes != *request_.size)) return {};
  if (!sum_.empty() && sum_of_file(request_.target) != sum_) return {};
  return FetchedFile{bytes, {}, {}, true};
}

FetchResult<FetchedFile> FileDownload::run(Tries tries, std::chrono::milliseconds patience,
                                           const RunControl& control) {
  auto part = PartFile::open(request_.target, request_.url);
  if (!part) return tl::make_unexpected(part.error());
  auto result = fetched_into(*part, tries, patience, control);
  if (!result && part->bytes() == 0) part->discard();
  return result;
}

FetchResult<FetchedFile> FileDownload::fetched_into(PartFile& part, Tries tries,
                                                    std::chrono::milliseconds patience,
                                                    const RunControl& control) {
  bool may_be_mixed = true;  // of two states of the file, or damaged on the way: worth a second time
  for (;;) {
    const std::uint64_t before = part.bytes();
    Failed failure = more(part, patience, control);
    if (!failure && is_short(part)) {
      if (part.bytes() > before) continue;  // it sends less at a time than is asked for
      failure = nothing_more(part);
    }
    if (failure) {
      if (!tries.again(*failure, part.bytes())) return tl::make_unexpected(*failure);
      continue;
    }
    const Failed wrong = wrong_whole(part);
    if (!wrong) break;
    if (Failed failure = part.begin({}, {})) return tl::make_unexpected(*failure);
    if (!std::exchange(may_be_mixed, false)) return tl::make_unexpected(*wrong);
  }
  if (Failed failure = part.finish()) return tl::make_unexpected(*failure);
  return FetchedFile{part.bytes(), etag_, last_modified_, false};
}

FileDownload::Failed FileDownload::more(PartFile& part, std::chrono::milliseconds patience,
                                        const RunControl& control) {
  if (part.whole() && part.bytes() == *part.whole() && part.bytes() > 0) return {};
  HttpAsk ask{
      .url = request_.url, .named_by = request_.named_by, .patience = patience, .longest_pause = patience};
  // Without a validator only the sum can tell whether both parts are of one file.
  if (part.bytes() > 0 && (!part.validator().empty() || !sum_.empty())) {
    ask.range = ByteRange{part.bytes(), 0};
    ask.if_range = part.validator();
  } else if (part.bytes() > 0) {
    if (Failed failure = part.begin({}, {})) return failure;
  }
  bool first_piece = true;
  const auto answer = network_.get(
      ask,
      [&](const HttpAnswer& head, std::string_view piece) {
        return take(part, head, piece, std::exchange(first_piece, false));
      },
      control);
  if (answer) {
    etag_ = answer->etag;
    last_modified_ = answer->last_modified;
    return {};
  }
  if (answer.error().status == kRangeNotSatisfiable && part.bytes() > 0) return changed(part);
  return answer.error();
}

/// A good answer without what was asked for: the server may have more to say later.
FetchFailure FileDownload::nothing_more(const PartFile& part) const {
  return fetch_failure(FailureKind::data_unreachable,
                       shown_ + " sends nothing more after " + std::to_string(part.bytes()) + " of " +
                           std::to_string(*part.whole()) + " bytes: try again later",
                       0, true);
}

/// What there is belongs to another state of the file: the next try begins anew.
FetchFailure FileDownload::changed(PartFile& part) const {
  if (Failed failure = part.begin({}, {})) return *failure;
  return fetch_failure(FailureKind::data_unreachable,
                       shown_ + " has changed while it was fetched: try again later", 0, true);
}

FileDownload::Failed FileDownload::take(PartFile& part, const HttpAnswer& answer, std::string_view piece,
                                        bool first_piece) {
  if (first_piece) {
    const bool goes_on = answer.status == 206 && part.bytes() > 0;
    if (goes_on) {
      const bool same = answer.first == part.bytes() && (!part.whole() || answer.whole == part.whole()) &&
                        answer.validator() == part.validator();
      if (!same) return changed(part);
    } else if (Failed failure = begin(part, answer)) {
      return failure;
    }
    if (Failed failure = room_for(part.whole() ? *part.whole() - part.bytes() : kRoomStep)) return failure;
    unchecked_room_ = 0;
  }
  const std::uint64_t bytes = part.bytes() + piece.size();
  if (bytes > request_.most_bytes || (part.whole() && bytes > *part.whole()) ||
      (request_.size && bytes > *request_.size)) {
    if (Failed failure = part.begin({}, {})) return failure;
    return fetch_failure(FailureKind::data_unreachable,
                         shown_ + " sends more than it should (" + std::to_string(bytes) +
                             " bytes): see whether the office has changed the file");
  }
  if (part.bytes() == 0 && piece.size() >= kContentBytes)
    if (Failed failure = wrong_beginning(piece)) return failure;
  unchecked_room_ += piece.size();
  if (!part.whole() && unchecked_room_ >= kRoomStep) {
    if (Failed failure = room_for(kRoomStep)) return failure;
    unchecked_room_ = 0;
  }
  if (Failed failure = part.add(piece)) return failure;
  if (on_bytes_) on_bytes_(piece.size());
  return {};
}

FileDownload::Failed FileDownload::begin(PartFile& part, const HttpAnswer& answer) const {
  const auto whole = answer.status == 206 ? answer.whole : answer.length;
  if (answer.status == 206 && answer.first != 0u)
    return fetch_failure(FailureKind::data_unreachable,
                         shown_ + " answers with another part of the file than was asked for");
  if (whole && request_.size && *whole != *request_.size)
    return fetch_failure(FailureKind::data_unreachable,
                         shown_ + " has " + std::to_string(*whole) + " bytes, but its listing says " +
                             std::to_string(*request_.size) + ": read the listing anew");
  return part.begin(answer.validator(), whole);
}

FileDownload::Failed FileDownload::room_for(std::uint64_t more_bytes) const {
  std::error_code error;
  const auto folder = request_.target.has_parent_path() ? request_.target.parent_path() : ".";
  const auto room = std::filesystem::space(folder, error);
  if (error || room.available >= more_bytes + kKeptFree) return {};
  constexpr std::uint64_t kMega = 1'000'000;
  FetchFailure failure =
      fetch_failure(FailureKind::invalid_input,
                    folder.string() + " has room for " + std::to_string(room.available / kMega) +
                        " MB, but " + shown_ + " needs " + std::to_string(more_bytes / kMega + 1) +
                        " MB and 268 MB are kept free: make room and start again, what is there already "
                        "is kept");
  failure.no_room = true;
  return failure;
}

FileDownload::Failed FileDownload::wrong_beginning(std::string_view bytes) const {
  if (looks_like(request_.content, bytes)) return {};
  FetchFailure failure =
      fetch_failure(FailureKind::data_unreachable,
                    shown_ + " is not " + name_of(request_.content) +
                        (looks_like(Content::html, bytes) ? ", but a page of HTML or XML" : "") +
                        ": open it in a browser and see what the office says");
  failure.other_content = true;
  return failure;
}

FileDownload::Failed FileDownload::wrong_whole(const PartFile& part) const {
  if (request_.size && part.bytes() != *request_.size)
    return fetch_failure(FailureKind::data_unreachable,
                         shown_ + " ends after " + std::to_string(part.bytes()) + " of " +
                             std::to_string(*request_.size) + " bytes: try again later");
  const std::string beginning = part.first_bytes(std::min<std::uint64_t>(kContentBytes, part.bytes()));
  if (Failed failure = wrong_beginning(beginning)) return failure;
  if (!sum_.empty() && part.sha256() != sum_)
    return fetch_failure(FailureKind::data_unreachable,
                         shown_ + " has not the SHA-256 that its listing says: read the listing anew");
  return {};
}

}  // namespace geo
