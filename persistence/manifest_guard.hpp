// RocksDB's MANIFEST names the files that hold the data. When its end is cut off, or a byte flips that hides
// the rest, RocksDB takes what is left for all there is and removes the files that it does not name any more.
// So the length and sum of the MANIFEST are noted beside it, and a store whose MANIFEST has lost something is
// not opened.
#pragma once
#include <rocksdb/listener.h>
#include <rocksdb/status.h>

#include <cstdint>
#include <mutex>
#include <string>

namespace persistence {

/// Corruption when the MANIFEST in use is not, as far as it was noted, what it was. Ok where nothing was
/// noted.
rocksdb::Status check_manifest(const std::string& store);

/// Notes the MANIFEST after every change of the files; thread-safe.
class ManifestGuard : public rocksdb::EventListener {
 public:
  explicit ManifestGuard(std::string store) : store_(std::move(store)) {}
  void note();
  void OnFlushCompleted(rocksdb::DB*, const rocksdb::FlushJobInfo&) override { note(); }
  void OnCompactionCompleted(rocksdb::DB*, const rocksdb::CompactionJobInfo&) override { note(); }

 private:
  std::string store_;
  std::mutex mutex_;
  std::string name_;         // of the MANIFEST that was noted last,
  std::uint64_t bytes_ = 0;  // its length
  std::uint32_t sum_ = 0;    // and its CRC-32
};

}  // namespace persistence
