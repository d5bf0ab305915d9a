#include "http/web/form_fields.hpp"

#include <algorithm>
#include <boost/algorithm/string/predicate.hpp>
#include <boost/algorithm/string/trim.hpp>
#include <locale>

namespace http {
namespace {

/// Parameters (charset) change nothing: the body is UTF-8 or refused.
bool is_form_type(std::string_view content_type) {
  const std::string type = boost::trim_copy_if(std::string(content_type.substr(0, content_type.find(';'))),
                                               boost::is_any_of(" \t"));
  return boost::iequals(type, "application/x-www-form-urlencoded", std::locale::classic());
}

/// C0, DEL and C1 (U+0080 to U+009F, some of which terminals obey). The text is valid UTF-8.
bool has_control_character(std::string_view text) {
  unsigned char before = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || (before == 0xc2 && byte < 0xa0)) return true;
    before = byte;
  }
  return false;
}

/// What is wrong with decoded fields that are sorted by name.
std::optional<FormFault> fault_of(const NameValues& sorted, const FormLimits& limits) {
  for (const auto& [name, value] : sorted) {
    if (name.size() > limits.name_bytes || value.size() > limits.value_bytes) return FormFault::too_large;
    if (has_control_character(name) || has_control_character(value)) return FormFault::control_character;
  }
  const auto same_name = [](const auto& a, const auto& b) { return a.first == b.first; };
  if (std::adjacent_find(sorted.begin(), sorted.end(), same_name) != sorted.end())
    return FormFault::duplicate_field;
  return {};
}

}  // namespace

tl::expected<FormFields, FormFault> FormFields::read(const Request& request, const FormLimits& limits) {
  if (!is_form_type(request.header("content-type").value_or("")))
    return tl::make_unexpected(FormFault::content_type);
  const auto ampersands = std::count(request.body.begin(), request.body.end(), '&');
  // Before anything is decoded: a body of "&" alone costs nothing.
  if (request.body.size() > limits.body_bytes || static_cast<std::size_t>(ampersands) + 1 > limits.fields)
    return tl::make_unexpected(FormFault::too_large);
  // The query's decoder would end at it, and a browser encodes it.
  if (request.body.find('#') != std::string::npos) return tl::make_unexpected(FormFault::encoding);
  Request form;
  read_target("/?" + request.body, form);
  if (!form.well_formed) return tl::make_unexpected(FormFault::encoding);
  std::sort(form.query.begin(), form.query.end());
  if (const auto fault = fault_of(form.query, limits)) return tl::make_unexpected(*fault);
  FormFields read;
  read.fields_ = std::move(form.query);
  return read;
}

std::optional<std::string_view> FormFields::value(std::string_view name) const {
  const auto field =
      std::lower_bound(fields_.begin(), fields_.end(), name,
                       [](const auto& f, std::string_view wanted) { return f.first < wanted; });
  if (field == fields_.end() || field->first != name) return {};
  return field->second;
}

}  // namespace http
