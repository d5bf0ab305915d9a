// RapidJSON's writer with what our bodies need: numbers rounded to their meaningful digits, null for missing
// values.
#pragma once
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace http {

class Json {
 public:
  Json() : writer_(buffer_) {}

  Json& begin_object() { return writer_.StartObject(), *this; }
  Json& end_object() { return writer_.EndObject(), *this; }
  Json& begin_array() { return writer_.StartArray(), *this; }
  Json& end_array() { return writer_.EndArray(), *this; }
  Json& key(std::string_view name) { return writer_.Key(name.data(), size(name)), *this; }

  Json& text(std::string_view value) { return writer_.String(value.data(), size(value)), *this; }
  Json& integer(std::int64_t value) { return writer_.Int64(value), *this; }
  Json& boolean(bool value) { return writer_.Bool(value), *this; }
  /// Text that is JSON already.
  Json& raw(std::string_view json) {
    return writer_.RawValue(json.data(), json.size(), rapidjson::kObjectType), *this;
  }
  Json& null() { return writer_.Null(), *this; }
  /// Rounded to `decimals`. NaN and infinity have no JSON and become null, so that the rest stays readable.
  Json& number(double value, int decimals) {
    const double scale = std::pow(10.0, decimals);
    const double rounded = std::round(value * scale) / scale;
    if (!std::isfinite(rounded)) return null();
    return writer_.Double(rounded == 0 ? 0.0 : rounded), *this;  // no "-0.0"
  }

  /// With as many digits as identify the number: a value that a client sent is returned unchanged.
  Json& exact(std::string_view name, double value) { return key(name), writer_.Double(value), *this; }

  Json& field(std::string_view name, std::string_view value) { return key(name).text(value); }
  Json& field(std::string_view name, const char* value) { return key(name).text(value); }
  Json& field(std::string_view name, bool value) { return key(name).boolean(value); }
  Json& field(std::string_view name, int value) { return key(name).integer(value); }
  Json& field(std::string_view name, std::uint64_t value) {
    return key(name).integer(static_cast<std::int64_t>(value));
  }
  Json& field(std::string_view name, double value, int decimals) { return key(name).number(value, decimals); }
  Json& field(std::string_view name, const std::optional<double>& value, int decimals) {
    return key(name), value ? number(*value, decimals) : null();
  }
  Json& field(std::string_view name, const std::optional<int>& value) {
    return key(name), value ? integer(*value) : null();
  }
  /// An empty text is null.
  Json& text_or_null(std::string_view name, std::string_view value) {
    return key(name), value.empty() ? null() : text(value);
  }

  std::string str() const { return {buffer_.GetString(), buffer_.GetSize()}; }

 private:
  static rapidjson::SizeType size(std::string_view text) {
    return static_cast<rapidjson::SizeType>(text.size());
  }
  rapidjson::StringBuffer buffer_;
  rapidjson::Writer<rapidjson::StringBuffer> writer_;
};

}  // namespace http
