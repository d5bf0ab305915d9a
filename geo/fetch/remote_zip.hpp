// Single members of a ZIP file on a server, by ranged requests: its directory once, then each member's bytes.
// Some offices have a whole Land in a few files of 10 GB.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "geo/fetch/fetcher.hpp"

namespace geo {

struct ZipMember {
  std::string name;  ///< as the ZIP says: for finding, never a path to write to
  std::uint64_t index = 0;
  std::uint64_t bytes = 0, packed_bytes = 0;
};

struct MemberRequest {
  std::filesystem::path target;
  Content content = Content::any;
  std::uint64_t most_bytes = 4ull << 30;
  bool replace = false;
};

class RemoteZip {
 public:
  /// Reads the directory; ZIP64 too. Fails when the server serves no ranges, when it is no ZIP, and when a
  /// name would lead out of a folder. `fetcher` lives as long.
  static FetchResult<RemoteZip> open(Fetcher& fetcher, const std::string& url, const RunControl& control,
                                     const std::string& named_by = {});

  /// Without folders.
  const std::vector<ZipMember>& members() const { return members_; }

  /// Unpacks one member; its CRC is checked. Several threads may each fetch one.
  FetchResult<FetchedFile> fetch(const ZipMember& member, const MemberRequest& request,
                                 const RunControl& control) const;

 private:
  struct Remote;
  explicit RemoteZip(std::shared_ptr<const Remote> remote) : remote_(std::move(remote)) {}
  std::shared_ptr<const Remote> remote_;
  std::vector<ZipMember> members_;
};

}  // namespace geo
