// Reads an object's fields strictly: of their types, and none that nobody has asked for.
#pragma once
#include <simdjson.h>

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "geo/failure.hpp"

namespace geo::offices {

/// The first fault stays; what is read after it is the default. So a reader asks for all its fields in a row
/// and looks at `fault` once.
class JsonFields {
 public:
  /// `where` begins the sentences: "de-nw.json: sources[0]".
  JsonFields(simdjson::dom::object object, std::string where) : object_(object), where_(std::move(where)) {}

  bool has(std::string_view field) {
    asked_.insert(std::string(field));
    return !object_[field].error();
  }
  /// Empty where it is absent and not `needed`.
  std::string text(std::string_view field, bool needed = false) {
    std::string_view value;
    return read(field, needed, value, "a string") ? std::string(value) : std::string();
  }
  double number(std::string_view field, double otherwise, double least, double most, bool needed = false) {
    double value = otherwise;
    if (!read(field, needed, value, "a number")) return otherwise;
    if (!(value >= least && value <= most)) blame(field, "is out of range");
    return value;
  }
  bool flag(std::string_view field, bool otherwise) {
    bool value = otherwise;
    return read(field, false, value, "true or false") ? value : otherwise;
  }
  std::vector<simdjson::dom::element> list(std::string_view field, bool needed = false) {
    simdjson::dom::array value;
    if (!read(field, needed, value, "a list")) return {};
    return {value.begin(), value.end()};
  }
  std::vector<std::string> texts(std::string_view field) {
    std::vector<std::string> all;
    for (const simdjson::dom::element element : list(field)) {
      std::string_view one;
      if (element.get(one)) blame(field, "is not a list of strings");
      all.emplace_back(one);
    }
    return all;
  }
  std::optional<simdjson::dom::object> object(std::string_view field, bool needed = false) {
    simdjson::dom::object value;
    if (!read(field, needed, value, "an object")) return {};
    return value;
  }

  /// Puts a fault on the first field that nobody asked for.
  void refuse_others() {
    for (const auto field : object_)
      if (!asked_.contains(std::string(field.key))) blame(field.key, "is not a field of a recipe");
  }
  void blame(std::string_view field, std::string_view what) {
    if (fault.empty()) fault = where_ + ": " + std::string(field) + " " + std::string(what);
  }
  const std::string& where() const { return where_; }
  std::string fault;

 private:
  template <class T>
  bool read(std::string_view field, bool needed, T& value, std::string_view what) {
    if (!has(field)) {
      if (needed) blame(field, "is missing");
      return false;
    }
    if (object_[field].get(value)) {
      blame(field, "is not " + std::string(what));
      return false;
    }
    return true;
  }
  simdjson::dom::object object_;
  std::string where_;
  std::set<std::string> asked_;
};

}  // namespace geo::offices
