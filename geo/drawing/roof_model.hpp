// The property as a 3D model: the ground with the aerial image, buildings with walls and roofs, and the
// modules. GLB (glTF 2.0), true metres, x east, y up, z south. Nodes and materials have German names; extras
// carry the contract's figures under the contract's names.
//
//   Grundstück                     extras: norden, osten, oben, einheit, lon, lat, bezugshoehe_m
//     Gelände
//     Gebäude 1
//       Fläche 1 Süd               extras: id, neigung_grad, azimut_grad, module_moeglich, ...
//         Fläche 1 Module empfohlen     extras: module
//         Fläche 1 Module möglich       the others that fit
//         Fläche 1 Störflächen
//         Fläche 1 Wände
//     Gebäudeteile ohne auswertbare Dachfläche
#pragma once
#include <string>

#include "geo/drawing/scene.hpp"
#include "geo/failure.hpp"
#include "geo/roof_analysis.hpp"

namespace geo {

/// internal for an analysis without surfaces or a damaged scene.
Result<std::string> write_model_glb(const RoofAnalysis& analysis, const PropertyScene& scene);

}  // namespace geo
