// The files of a store's copy with their SHA-256, as sha256sum writes and checks them. RocksDB takes a
// manifest whose end is missing for a shorter one, and opens without looking at the blobs; so what a copy
// lost on its way would be missed only by whoever asks for it.
#pragma once
#include <string>
#include <tl/expected.hpp>

namespace persistence {

/// Lists all files of `directory`/store in `directory`/files.sha256, on disk. The error is a sentence.
tl::expected<void, std::string> write_copy_list(const std::string& directory);

/// Compares the files of `store`, a copy of `directory`/store, with the list. A copy of before there were
/// lists has none and passes. The error is a sentence that names a file.
tl::expected<void, std::string> check_copy_list(const std::string& directory, const std::string& store);

/// Of a copy that becomes a data directory: its files change from now on.
void drop_copy_list(const std::string& directory);

}  // namespace persistence
