// How wide a text will be, to lay out a picture whose fonts the viewer chooses. Widths are DejaVu Sans', the
// widest of the fonts that a picture asks for, so that a text fits in the others too.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace geo {

enum class Weight { regular, bold };

/// In the unit of `size`.
double text_width(std::string_view utf8, double size, Weight weight = Weight::regular);

/// Lines no wider than `width`, broken at spaces; a word that is wider (an address) is broken anywhere.
std::vector<std::string> wrapped(std::string_view utf8, double width, double size,
                                 Weight weight = Weight::regular);

}  // namespace geo
