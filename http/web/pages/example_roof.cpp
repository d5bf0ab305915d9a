#include "http/web/pages/example_roof.hpp"

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <cstdlib>
#include <string>

#include "geo/drawing/german_text.hpp"
#include "http/description/accuracy_figures.hpp"

namespace http {
namespace {

constexpr std::size_t kFoundRow = 0, kTiltRow = 1;

/// The figure before the first space, comma or slash, with a decimal comma.
std::string first_figure(std::string_view row) {
  return boost::replace_all_copy(std::string(row.substr(0, row.find_first_of(" ,/"))), ".", ",");
}

/// "87 bis 95 %": the least and the most found of real buildings whose footprints are known.
std::string found_of_real() {
  double least = 100, most = 0;
  for (const RealAccuracyFigure& row : kRealAccuracyFigures)
    for (const std::string_view cell : {row.villages_with_footprints, row.old_town_with_footprints}) {
      const double found = std::strtod(std::string(cell).c_str(), nullptr);
      least = std::min(least, found);
      most = std::max(most, found);
    }
  return geo::german_number(least, 0) + " bis " + geo::german_number(most, 0) + " %";
}

}  // namespace

/// `roofd sample-region` with its defaults, Lindenstraße 2; the figures are the service's own answer
/// (tests/http/web/examples/start.json names them, too).
void add_example_roof(TemplateData& data) {
  data.set("beispiel_adresse", std::string("Lindenstraße 2, 86987 Lerchenmoos"));
  data.set("beispiel_dauer", std::string("0,1 s"));
  data.set("beispiel_kwp", std::string("4,40"));
  data.set("beispiel_module", std::string("10"));
  data.set("beispiel_kwh", std::string("4.509"));
  data.set("beispiel_spez", std::string("1.025"));
  data.set("beispiel_neigung", std::string("35,0°"));
  data.set("beispiel_neigung_fehler", std::string("± 0,2°"));
  data.set("beispiel_azimut", std::string("41° Südost"));
  data.set("beispiel_azimut_fehler", std::string("± 0,2°"));
  data.set("beispiel_flaeche", std::string("116 m²"));
  data.set("beispiel_flaeche_fehler", std::string("± 5 m²"));
  data.set("beispiel_fehler_hinweis", std::string("Rund zwei von drei Flächen liegen innerhalb der Spanne."));
  data.set("pruef_daecher", std::string("1.440"));
  data.set("pruef_neigung", first_figure(kAccuracyFigures[kTiltRow].with_footprints) + "°");
  data.set("pruef_gefunden", first_figure(kAccuracyFigures[kFoundRow].with_footprints) + " %");
  data.set("pruef_echt", found_of_real());
}

}  // namespace http
