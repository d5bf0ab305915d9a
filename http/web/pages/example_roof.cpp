#include "http/web/pages/example_roof.hpp"

#include <boost/algorithm/string/replace.hpp>
#include <string>

#include "http/description/accuracy_figures.hpp"

namespace http {
namespace {

constexpr std::size_t kFoundRow = 0, kTiltRow = 1;

/// The figure before the first space, comma or slash, with a decimal comma.
std::string first_figure(std::string_view row) {
  return boost::replace_all_copy(std::string(row.substr(0, row.find_first_of(" ,/"))), ".", ",");
}

}  // namespace

/// `roofd sample-region` with its defaults, Lindenstraße 2; the figures are the service's own answer
/// (tests/http/web/examples/start.json names them, too).
void add_example_roof(TemplateData& data) {
  data.set("beispiel_adresse", std::string("Lindenstraße 2, 86987 Lerchenmoos"));
  data.set("beispiel_dauer", std::string("0,6 s"));
  data.set("beispiel_kwp", std::string("4,40"));
  data.set("beispiel_module", std::string("10"));
  data.set("beispiel_kwh", std::string("4.510"));
  data.set("beispiel_spez", std::string("1.025"));
  data.set("beispiel_neigung", std::string("35,0°"));
  data.set("beispiel_neigung_fehler", std::string("± 0,2°"));
  data.set("beispiel_azimut", std::string("41° Südost"));
  data.set("beispiel_azimut_fehler", std::string("± 0,2°"));
  data.set("beispiel_flaeche", std::string("116 m²"));
  data.set("beispiel_flaeche_fehler", std::string("± 3 m²"));
  data.set("beispiel_fehler_hinweis", std::string("Rund zwei von drei Flächen liegen innerhalb der Spanne."));
  data.set("pruef_daecher", std::string("1.440"));
  data.set("pruef_neigung", first_figure(kAccuracyFigures[kTiltRow].with_footprints) + "°");
  data.set("pruef_gefunden", first_figure(kAccuracyFigures[kFoundRow].with_footprints) + " %");
}

}  // namespace http
