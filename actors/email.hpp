// An e-mail address as accounts are told apart by it.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace actors {

/// The address in lower case, without spaces around it; nothing when it is none: NAME@HOST, one @, no space
/// and no control character in it. Whether mail arrives there is not checked.
std::optional<std::string> normal_email(std::string_view text);

}  // namespace actors
