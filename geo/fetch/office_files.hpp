// Windows of files that lie on offices' servers (COGs): read in blocks of 1 MiB, kept in memory and on disk,
// one request for all who wait for the same. office_file_system.hpp gives them to GDAL.
//
// A reader never gets bytes of two states of a file: a file is known by size and ETag or time, each request
// asks for that state only, and when the server has another one the reader fails and what is held is dropped.
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "geo/fetch/block_store.hpp"
#include "geo/fetch/fetch_failure.hpp"
#include "geo/fetch/network.hpp"
#include "geo/recent_cache.hpp"
#include "geo/run_control.hpp"

namespace geo {

struct OfficeFilesOptions {
  std::filesystem::path folder;            ///< geodata.cache
  std::uint64_t disk_bytes = 20ull << 30;  ///< geodata.cache-gb
  std::uint64_t memory_bytes = 48ull << 20;
  std::size_t most_known = 20'000;  ///< files whose state is in memory; of a country's tiles some are read
  std::chrono::milliseconds read_limit{20'000};    ///< of 16 MiB, waiting included
  std::chrono::milliseconds longest_pause{2'000};  ///< of a server: if it asks for more, reading fails
  std::chrono::seconds missing_for{7 * 86'400};    ///< a file that is not there is not asked for again
  std::chrono::seconds same_for{7 * 86'400};       ///< nor whether it has changed
  std::chrono::milliseconds failed_for{3'000};     ///< nor a file whose server has just failed
};

class OfficeFiles {
 public:
  static constexpr std::uint64_t kBlock = 1 << 20;

  /// A state of a file.
  struct File {
    std::string url;
    std::uint64_t bytes = 0;
    std::string etag, last_modified;
    std::string state;  ///< tells one state, of one file, from all others
  };
  struct Piece {
    std::uint64_t offset = 0;
    std::span<char> into;
  };

  /// `network` lives as long.
  OfficeFiles(Network& network, OfficeFilesOptions options);
  ~OfficeFiles();
  OfficeFiles(const OfficeFiles&) = delete;
  OfficeFiles& operator=(const OfficeFiles&) = delete;

  /// Asks the server when the file is not known, or not since `same_for`; what is held of a file whose server
  /// does not answer stays good.
  FetchResult<File> open(const std::string& url, const RunControl& control);
  /// All pieces whole; they lie within the file. Fails when it has changed since it was opened.
  std::optional<FetchFailure> read(const File& file, std::span<const Piece> pieces,
                                   const RunControl& control);

  /// What open() would say without asking: none when it would ask, or the file is missing.
  std::optional<File> known(const std::string& url);

 private:
  using Clock = std::chrono::steady_clock;
  using Block = std::shared_ptr<const std::string>;
  using Blocks = std::map<std::uint64_t, Block>;
  using Failed = std::optional<FetchFailure>;
  struct Remembered;
  struct State;
  struct Requested;
  struct Limits;

  /// To be held as long as it is used: see forget_idle(). Not to be called with the lock.
  std::shared_ptr<State> state_of(const std::string& url);
  void forget_idle();
  std::optional<FetchResult<File>> without_asking(State& state) const;
  FetchResult<File> told(State& state, Requested answer);
  Requested requested(const std::string& url, const File* file, ByteRange range, const Limits& limits) const;
  Requested tried(const std::string& url, const File* file, ByteRange range, const Limits& limits) const;
  Failed fill(State& state, const File& file, const std::vector<std::uint64_t>& wanted, Blocks& blocks,
              const Limits& limits);
  Failed fetch(State& state, const File& file, const std::vector<std::uint64_t>& mine, Blocks& got,
               const Limits& limits);
  void failed(State& state, const File& file, const Requested& answer);
  void keep(State& state, const Remembered& what);

  Network& network_;
  const OfficeFilesOptions options_;
  BlockStore store_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::map<std::string, std::shared_ptr<State>> states_;  // by URL
  RecentCache<std::string, Block> memory_;                // by state and block
};

}  // namespace geo
