// One file's way from a server to its name on disk.
#pragma once
#include <functional>
#include <optional>

#include "geo/fetch/fetcher.hpp"
#include "geo/fetch/part_file.hpp"

namespace geo {

class FileDownload {
 public:
  /// `on_bytes` is told how many came.
  FileDownload(Network& network, const FileRequest& request, std::function<void(std::size_t)> on_bytes);

  /// What has the name already, if it is what is wanted.
  std::optional<FetchedFile> already_there() const;
  FetchResult<FetchedFile> run(Tries tries, std::chrono::milliseconds patience, const RunControl& control);

 private:
  using Failed = std::optional<FetchFailure>;
  FetchResult<FetchedFile> fetched_into(PartFile& part, Tries tries, std::chrono::milliseconds patience,
                                        const RunControl& control);
  Failed more(PartFile& part, std::chrono::milliseconds patience, const RunControl& control);
  Failed take(PartFile& part, const HttpAnswer& answer, std::string_view piece, bool first_piece);
  Failed begin(PartFile& part, const HttpAnswer& answer) const;
  Failed room_for(std::uint64_t more_bytes) const;
  Failed wrong_beginning(std::string_view bytes) const;
  Failed wrong_whole(const PartFile& part) const;
  FetchFailure nothing_more(const PartFile& part) const;
  FetchFailure changed(PartFile& part) const;

  Network& network_;
  const FileRequest& request_;
  std::string shown_, sum_;
  std::function<void(std::size_t)> on_bytes_;
  std::string etag_, last_modified_;
  std::uint64_t unchecked_room_ = 0;
};

}  // namespace geo
