// How an office writes a tile's place and year into a file's name, and how to write such a name:
// "dom1_32_{E}_{N}_1_nw_{year}.tif". Recipes state patterns; listings are read with them, URLs filled.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "geo/failure.hpp"
#include "geo/shapes/box.hpp"

namespace geo::offices {

/// What a name says. Empty: the pattern does not ask for it.
struct NameFields {
  std::optional<double> east, north;  ///< of the lower-left corner, in the recipe's unit
  int date = 0;                       ///< YYYYMMDD, month and day 00 when only the year is said; 0: nothing
  std::string key;                    ///< a district's or municipality's official number
  std::string id;                     ///< whatever else tells one file from another
  int year() const { return date / 10000; }
};

/// Fields in braces, everything else stands for itself:
///   {E} {N}     whole numbers, {E:3} with leading zeros to this width
///   {year}      four digits        {years}  2020-2025: the last counts      {date} YYYYMMDD
///   {day} {month}  two digits      {key}    digits of an official number   {id} letters, digits, . and -
///   {*}         anything but "/"
/// and, for writing alone: {min_x} {min_y} {max_x} {max_y} of the tile, {today} as YYYYMMDD.
class NamePattern {
 public:
  /// invalid_input for a field that is not known or a brace that is not closed.
  static Result<NamePattern> parse(std::string_view text);

  /// Nothing when the whole name is not of this form. Names longer than 500 characters are of no form.
  std::optional<NameFields> match(std::string_view name) const;

  /// The name with its fields filled. `{*}` cannot be filled and becomes nothing.
  std::string fill(const NameFields& fields, const Box& tile, std::string_view today) const;

  /// Whether it holds a field of this name.
  bool asks(std::string_view field) const;
  const std::string& text() const { return text_; }

 private:
  struct Piece {
    std::string text;  ///< a literal, or a field's name
    bool is_field = false;
    int width = 0;
  };
  bool match_from(std::size_t piece, std::string_view rest, NameFields& fields, int& steps) const;
  std::string text_;
  std::vector<Piece> pieces_;
};

}  // namespace geo::offices
