// What a field of a request may hold, whether it comes from the API or from a page.
#pragma once
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "actors/refusal.hpp"

namespace http {

template <class T>
using Read = tl::expected<T, actors::Refusal>;

tl::unexpected<actors::Refusal> refused(actors::Code code, std::string text = {});
tl::unexpected<actors::Refusal> invalid(std::string text);

/// Nothing but white space.
bool blank(std::string_view text);

/// The text is valid UTF-8.
Read<std::string> checked_name(std::string_view name);
Read<std::string> checked_address(std::string_view address);
Read<double> checked_consumption(double kwh);
Read<std::string> checked_profile(std::string_view code);

}  // namespace http
