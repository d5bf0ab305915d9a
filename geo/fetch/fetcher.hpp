// Fetches files from the offices' servers: many at once but few a server, resumed where an earlier try or an
// earlier program stopped, checked before they get their name. Start here to get something from the network.
//
//   Network network({.contact = "gis@example.org"});
//   Fetcher fetcher(network);
//   auto listing = fetcher.text({.url = "https://.../index.json", .content = Content::json}, control);
//   auto results = fetcher.files(requests, {.on_file = ..., .on_progress = ...}, control);
#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "geo/fetch/content.hpp"
#include "geo/fetch/fetch_failure.hpp"
#include "geo/fetch/network.hpp"
#include "geo/fetch/tries.hpp"
#include "geo/run_control.hpp"

namespace geo {

/// One file that is wanted.
struct FileRequest {
  std::string url;
  std::filesystem::path
      target;  ///< its folder is made; `target`.part and .part.state lie beside it meanwhile
  Content content = Content::any;
  std::optional<std::uint64_t> size;  ///< where the listing tells it
  std::string sha256;                 ///< hexadecimal, or a multihash "1220..."; empty: not known
  std::uint64_t most_bytes = 64ull << 30;
  std::string named_by;  ///< the listing's URL where a listing names `url`
  bool replace = false;  ///< also when there is a file of that name
};

struct FetchedFile {
  std::uint64_t bytes = 0;
  std::string etag, last_modified;
  bool was_there =
      false;  ///< had its name already, with the size and sum asked for; the network was not asked
};

struct TextRequest {
  std::string url;
  Content content = Content::any;
  std::uint64_t most_bytes = 256ull << 20;
  std::chrono::milliseconds limit{300'000};
  std::string named_by;
  bool lists_folder = false;  ///< the text is WebDAV's of what lies in this folder
};

struct FetchedText {
  std::string text;
  std::string url;  ///< after redirections: links in a listing are relative to it
  std::string etag, last_modified;
};

/// What a server says of a file without sending it.
struct RemoteFile {
  std::optional<std::uint64_t> bytes;
  bool serves_ranges = false;
  std::string url, etag, last_modified;
  std::string beginning;  ///< as many bytes as were asked for, or the whole of a shorter file
};

struct FetchProgress {
  std::size_t files = 0, done = 0, failed = 0;
  std::uint64_t bytes = 0;  ///< received so far by this call, not what lay there before
};

/// All may be empty, none may throw. They are called from several threads, `on_file` at the same time.
struct FetchListeners {
  /// Each file's end, by its place among the requests. The thread fetches nothing until this returns.
  std::function<void(std::size_t, const FetchResult<FetchedFile>&)> on_file;
  /// At most ten times a second.
  std::function<void(const FetchProgress&)> on_progress;
  /// Before each file, by its place among the requests: false when it need not be tried any more. It fails.
  std::function<bool(std::size_t)> is_worth_asking;
  /// Before each wait for a server: a sentence.
  std::function<void(const std::string&)> on_wait;
};

class Fetcher {
 public:
  explicit Fetcher(Network& network, FetchPatience patience = {});

  /// All files; the results stand as the requests do. Nothing is thrown on cancellation: what had not ended
  /// fails as cancelled, and goes on where it stopped when it is asked for again. Once a server has failed
  /// two files in a row by not answering, its other files fail at once.
  std::vector<FetchResult<FetchedFile>> files(const std::vector<FileRequest>& requests,
                                              const FetchListeners& listeners, const RunControl& control);
  FetchResult<FetchedFile> file(const FileRequest& request, const RunControl& control);

  /// A listing, in memory.
  FetchResult<FetchedText> text(const TextRequest& request, const RunControl& control);

  /// Bytes of a file, exactly as many as asked for. Fails when the server serves no parts.
  FetchResult<std::string> bytes(const std::string& url, ByteRange range, const RunControl& control,
                                 const std::string& named_by = {});

  /// By asking for the first bytes: several servers refuse HEAD.
  FetchResult<RemoteFile> probe(const std::string& url, const RunControl& control,
                                const std::string& named_by = {}, std::uint64_t beginning = 1);

 private:
  Network& network_;
  FetchPatience patience_;
};

}  // namespace geo
