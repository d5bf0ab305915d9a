// The fields of a form that a browser has sent as application/x-www-form-urlencoded.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "http/wire/request.hpp"

namespace http {

struct FormLimits {
  std::size_t body_bytes = 16384;
  std::size_t fields = 64;
  std::size_t name_bytes = 64;
  std::size_t value_bytes = 4096;  ///< decoded, as name_bytes
};

enum class FormFault {
  content_type,       ///< not application/x-www-form-urlencoded
  too_large,          ///< one of the limits
  encoding,           ///< a broken escape, NUL, broken UTF-8, or a byte that forms never send as it is
  control_character,  ///< also a line end: our forms have only fields of one line
  duplicate_field,    ///< one name twice: two readers could choose different ones
};

/// The values are valid UTF-8 without control characters, and otherwise as typed.
class FormFields {
 public:
  /// A form without fields is one.
  static tl::expected<FormFields, FormFault> read(const Request& request, const FormLimits& limits = {});

  /// None: not sent. A field that was left empty is an empty text, a box that was not ticked is none.
  std::optional<std::string_view> value(std::string_view name) const;
  std::size_t size() const { return fields_.size(); }

 private:
  NameValues fields_;  ///< sorted by name
};

}  // namespace http
