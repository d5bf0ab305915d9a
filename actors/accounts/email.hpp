// The normal form of an e-mail address, by which accounts are told apart.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace actors {

/// Without the spaces that come with an address copied from a mail or a table, of whatever kind.
std::string_view without_spaces_around(std::string_view text);

/// The address in lower case, without spaces around it; nothing when the text is no address: NAME@HOST,
/// exactly one @, no space and no control character. Whether mail arrives there is not checked.
std::optional<std::string> normal_email(std::string_view text);

}  // namespace actors
