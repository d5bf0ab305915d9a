// What lies in a ZIP on this machine, by GDAL's /vsizip/. Members' names are only read with, never written
// to.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "geo/failure.hpp"
#include "geo/offices/listed.hpp"

namespace geo::offices {

/// Paths for GDAL of the members whose names end as one of `endings` (in small letters), in their order by
/// name. invalid_input when the file is no ZIP or holds none.
Result<std::vector<std::string>> members_ending(const std::filesystem::path& zip,
                                                const std::vector<std::string>& endings);

/// Copies what GDAL reads at `from` into a file. invalid_input when it cannot be read whole; as
/// not_written() says (disk.hpp) when it cannot be written.
Result<void> copy_out(const std::string& from, const std::filesystem::path& to);

/// The bytes of a member that came by range: its local header (`bytes` begins with it), name, data. Inflated
/// and checked against its sum. invalid_input when they are something else.
Result<std::string> member_content(const ZipMember& member, std::string_view bytes);
/// How many bytes from `member.offset` on hold the member: by its local header, of 30 bytes, when that is
/// given; else a guess that is nearly always enough.
std::uint64_t bytes_of_member(const ZipMember& member, std::string_view header = {});

}  // namespace geo::offices
