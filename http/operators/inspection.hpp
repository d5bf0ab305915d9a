// The contents of a data directory as JSON for an operator: totals and single records.
#pragma once
#include <string>
#include <tl/expected.hpp>

#include "persistence/store.hpp"

namespace http {

/// {"tables": {"projects": {"keys": 3, "bytes": 512}, ...}}: keys and the bytes of keys and values. Reads
/// everything.
tl::expected<std::string, std::string> inspect_tables(const persistence::Store& store);

/// One record by "accounts/1", "projects/1/17", "runs/1/17", "results/1/17" or "limits/1"; "keys/1" lists an
/// account's keys. The error is one sentence: there is no such record, or it is damaged.
tl::expected<std::string, std::string> inspect_record(const persistence::Store& store,
                                                      const std::string& record);

}  // namespace http
