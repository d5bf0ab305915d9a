#include "geo/offices/zip_fetching.hpp"

#include "geo/offices/zip_reading.hpp"

namespace geo::offices {
namespace {

FetchResult<FetchedMember> member_in(const FetchResult<std::string>& bytes, const ZipMember& member) {
  if (!bytes) return tl::make_unexpected(bytes.error());
  return FetchedMember{bytes->size(), member_content(member, *bytes)};
}

}  // namespace

FetchResult<FetchedMember> fetch_member(const ZipMember& member, const BytesOfZip& bytes,
                                        const RunControl& control) {
  const auto bytes_up_to = [&](std::uint64_t count) { return bytes({member.offset, count}); };
  auto guessed = member_in(bytes_up_to(bytes_of_member(member)), member);
  if (guessed && guessed->content) return guessed;
  if (control.cancelled())
    return tl::make_unexpected(
        fetch_failure(FailureKind::cancelled, member.name + ": the fetch was stopped"));
  // The ZIP's end was near, or the names were long: as much is asked for as there is.
  constexpr std::uint64_t kHeader = 30;
  const auto header = bytes_up_to(kHeader);
  if (!header) return tl::make_unexpected(header.error());
  return member_in(bytes_up_to(bytes_of_member(member, *header)), member);
}

}  // namespace geo::offices
