#include "tests/geo/city_model_files.hpp"

#include <gdal_priv.h>
#include <ogrsf_frmts.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "geo/data/gdal.hpp"

namespace test {
namespace {

using CornerRing = std::vector<geo::HeightPoint>;

struct DrawnBlock {
  double west, south, east, north, foot, top;
};

/// The upright faces under the edges of a block; `inwards` for those of a court.
void add_block_walls(const DrawnBlock& b, bool inwards, std::vector<DrawnFace>& faces) {
  const geo::Point corners[] = {{b.west, b.south}, {b.east, b.south}, {b.east, b.north}, {b.west, b.north}};
  for (int i = 0; i < 4; ++i) {
    geo::Point from = corners[i], to = corners[(i + 1) % 4];
    if (inwards) std::swap(from, to);
    faces.push_back(
        {"WallSurface",
         {{{from.x, from.y, b.foot}, {to.x, to.y, b.foot}, {to.x, to.y, b.top}, {from.x, from.y, b.top}}}});
  }
}

CornerRing level_ring(const DrawnBlock& b, double height, bool counter_clockwise) {
  CornerRing ring{{b.west, b.south, height},
                  {b.east, b.south, height},
                  {b.east, b.north, height},
                  {b.west, b.north, height}};
  if (!counter_clockwise) std::swap(ring[1], ring[3]);
  return ring;
}

/// The ridge runs from west to east; `top` is the eaves.
DrawnPart gable_part(const DrawnBlock& b, double ridge) {
  const double middle = (b.south + b.north) / 2;
  DrawnPart part;
  part.faces.push_back({"GroundSurface", {level_ring(b, b.foot, false)}});
  part.faces.push_back({"RoofSurface",
                        {{{b.west, b.south, b.top},
                          {b.east, b.south, b.top},
                          {b.east, middle, ridge},
                          {b.west, middle, ridge}}}});
  part.faces.push_back({"RoofSurface",
                        {{{b.east, b.north, b.top},
                          {b.west, b.north, b.top},
                          {b.west, middle, ridge},
                          {b.east, middle, ridge}}}});
  add_block_walls(b, false, part.faces);
  part.faces.push_back(
      {"WallSurface", {{{b.east, b.south, b.top}, {b.east, b.north, b.top}, {b.east, middle, ridge}}}});
  part.faces.push_back(
      {"WallSurface", {{{b.west, b.north, b.top}, {b.west, b.south, b.top}, {b.west, middle, ridge}}}});
  return part;
}

DrawnPart flat_part(const DrawnBlock& b, const DrawnBlock& court) {
  DrawnPart part;
  part.faces.push_back({"GroundSurface", {level_ring(b, b.foot, false), level_ring(court, b.foot, true)}});
  part.faces.push_back({"RoofSurface", {level_ring(b, b.top, true), level_ring(court, b.top, false)}});
  add_block_walls(b, false, part.faces);
  add_block_walls(court, true, part.faces);
  return part;
}

std::string three_numbers(const geo::HeightPoint& p, const char* format) {
  char text[80];
  std::snprintf(text, sizeof text, format, p.x, p.y, p.z);
  return text;
}

/// Items of a list with commas between.
class Commas {
 public:
  void add(const std::string& item) { text_ += (text_.empty() ? "" : ",") + item; }
  std::string in(char open, char close) const { return open + text_ + close; }

 private:
  std::string text_;
};

/// What is one document of CityJSON, or one line of a sequence.
class CityJsonWriter {
 public:
  explicit CityJsonWriter(const CityJsonForm& form) : form_(form) {}

  void add(const DrawnHouse& house) {
    if (first_form() && house.parts.size() == 1)
      return objects_.add(R"(")" + house.id + R"(":{"type":"Building","geometry":[)" + roofs(house.parts[0]) +
                          "]}");
    Commas children;
    for (std::size_t i = 0; i < house.parts.size(); ++i) {
      const std::string id = R"(")" + house.id + "-" + std::to_string(i) + R"(")";
      children.add(id);
      const std::string coarse = block(house.parts[i]);  // before the roofs: vertices are counted
      objects_.add(id + R"(:{"type":"BuildingPart","attributes":{},"parents":[")" + house.id +
                   R"("],"geometry":[)" + coarse + "," + roofs(house.parts[i]) + "]}");
    }
    objects_.add(R"(")" + house.id +
                 R"(":{"type":"Building","attributes":{"b3_h_maaiveld":1.5},"children":)" +
                 children.in('[', ']') + R"(,"geometry":[{"type":"MultiSurface","lod":"0","boundaries":[)" +
                 face(house.parts[0].faces[0]) + "]}]}");
  }
  std::string objects() const { return R"("CityObjects":)" + objects_.in('{', '}'); }
  std::string vertices() const { return R"("vertices":)" + vertices_.in('[', ']'); }

 private:
  bool first_form() const { return form_.version == "1.0"; }
  std::string level(const char* level) const { return first_form() ? level : '"' + std::string(level) + '"'; }

  std::string face(const DrawnFace& face) {
    Commas rings;
    for (const CornerRing& ring : face.rings) {
      Commas corners;
      for (const geo::HeightPoint& p : ring) {
        corners.add(std::to_string(count_++));
        vertices_.add(first_form()
                          ? three_numbers(p, "[%.3f,%.3f,%.3f]")
                          : three_numbers({1000 * (p.x - 500000), 1000 * (p.y - 5540000), 1000 * p.z},
                                          "[%.0f,%.0f,%.0f]"));
      }
      rings.add(corners.in('[', ']'));
    }
    return rings.in('[', ']');
  }

  std::string roofs(const DrawnPart& part) {
    Commas faces, values;
    for (const DrawnFace& one : part.faces) {
      faces.add(face(one));
      values.add(one.kind == "GroundSurface" ? "0" : one.kind == "RoofSurface" ? "1" : "2");
    }
    std::string text =
        R"({"type":"Solid","lod":)" + level("2.2") + R"(,"boundaries":[)" + faces.in('[', ']') + "]";
    if (form_.semantics)
      text += R"(,"semantics":{"surfaces":[{"type":"GroundSurface"},{"type":"RoofSurface"},)"
              R"({"type":"WallSurface","on_footprint_edge":true}],"values":[)" +
              values.in('[', ']') + "]}";
    return text + "}";
  }

  /// A coarser level, far too high: it must not be read.
  std::string block(const DrawnPart& part) {
    DrawnFace lid = part.faces[0];
    for (CornerRing& ring : lid.rings)
      for (geo::HeightPoint& p : ring) p.z += 500;
    return R"({"type":"Solid","lod":)" + level("1.2") + R"(,"boundaries":[[)" + face(lid) +
           R"(]],"semantics":{"surfaces":[{"type":"RoofSurface"}],"values":[[0]]}})";
  }

  CityJsonForm form_;
  Commas objects_, vertices_;
  int count_ = 0;
};

std::string city_json_header(const CityJsonForm& form) {
  std::string text = R"({"type":"CityJSON","version":")" + form.version + R"(",)";
  if (!form.system.empty())
    text += R"("metadata":{"title":"Häuser","referenceSystem":")" + form.system + R"("},)";
  if (form.version != "1.0")
    text += R"("transform":{"scale":[0.001,0.001,0.001],"translate":[500000.0,5540000.0,0.0]},)";
  return text;
}

/// Polygons, surfaces and solids of one CityGML.
class CityGmlWriter {
 public:
  explicit CityGmlWriter(const CityGmlForm& form) : form_(form) {}

  std::string building(const DrawnHouse& house) {
    std::string text = "<bldg:Building gml:id=\"" + house.id + "\">" + attribute();
    if (house.parts.size() == 1)
      text += surfaces_of(house.parts[0]);
    else
      for (const DrawnPart& part : house.parts)
        text += "<bldg:consistsOfBuildingPart><bldg:BuildingPart gml:id=\"" + next_id() + "\">" +
                surfaces_of(part) + "</bldg:BuildingPart></bldg:consistsOfBuildingPart>\n";
    return text + "</bldg:Building>\n";
  }

 private:
  std::string next_id() { return "UUID_" + std::to_string(count_++); }
  static std::string attribute() {
    return "<gen:stringAttribute "
           "name=\"Gemeindeschluessel\"><gen:value>05911000</gen:value></gen:stringAttribute>\n";
  }
  std::string system() const { return form_.system_on_surfaces ? " srsName=\"" + form_.system + "\"" : ""; }

  std::string surfaces_of(const DrawnPart& part) {
    std::string members, surfaces;
    for (const DrawnFace& face : part.faces) {
      const std::string id = next_id();
      const std::string shape = polygon(face, id), link = "<gml:surfaceMember xlink:href=\"#" + id + "\"/>";
      const std::string member = "<gml:surfaceMember>" + shape + "</gml:surfaceMember>\n";
      const bool in_solid = form_.linked_surfaces || !form_.semantics;
      members += in_solid ? member : link;
      surfaces += "<bldg:boundedBy><bldg:" + face.kind + " gml:id=\"" + next_id() + "\">" + attribute() +
                  "<bldg:lod2MultiSurface><gml:MultiSurface" + system() + ">" + (in_solid ? link : member) +
                  "</gml:MultiSurface></bldg:lod2MultiSurface></bldg:" + face.kind + "></bldg:boundedBy>\n";
    }
    return "<bldg:lod2Solid><gml:Solid" + system() + "><gml:exterior><gml:CompositeSurface>" + members +
           "</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod2Solid>\n" +
           (form_.semantics ? surfaces : "");
  }

  std::string polygon(const DrawnFace& face, const std::string& id) const {
    std::string text = "<gml:Polygon gml:id=\"" + id + "\">";
    for (std::size_t i = 0; i < face.rings.size(); ++i) {
      const std::string side = i == 0 ? "exterior" : "interior";
      text += "<gml:" + side + "><gml:LinearRing>" + corners(face.rings[i]) +
              "</gml:LinearRing></gml:" + side + ">";
    }
    return text + "</gml:Polygon>";
  }

  std::string corners(CornerRing ring) const {
    ring.push_back(ring.front());
    std::string text;
    for (const geo::HeightPoint& p : ring)
      text += form_.single_positions ? three_numbers(p, "<gml:pos>%.3f %.3f %.3f</gml:pos>")
                                     : three_numbers(p, text.empty() ? "%.3f %.3f %.3f" : " %.3f %.3f %.3f");
    return form_.single_positions ? text : "<gml:posList srsDimension=\"3\">" + text + "</gml:posList>";
  }

  CityGmlForm form_;
  int count_ = 0;
};

void add_city_layer(GDALDataset& file, const char* name, const std::string& kind,
                    const std::vector<DrawnHouse>& houses) {
  OGRSpatialReference system;
  system.importFromEPSG(25832);
  OGRLayer* layer = file.CreateLayer(name, &system, wkbPolygon25D, nullptr);
  OGRFieldDefn building("building", OFTString);
  layer->CreateField(&building);
  for (const DrawnHouse& house : houses)
    for (const DrawnPart& part : house.parts)
      for (const DrawnFace& face : part.faces) {
        if (face.kind != kind) continue;
        OGRPolygon polygon;
        for (const CornerRing& ring : face.rings) {
          OGRLinearRing line;
          for (const geo::HeightPoint& p : ring) line.addPoint(p.x, p.y, p.z);
          line.closeRings();
          polygon.addRing(&line);
        }
        OGRFeature feature(layer->GetLayerDefn());
        feature.SetField("building", house.id.c_str());
        feature.SetGeometry(&polygon);
        if (layer->CreateFeature(&feature) != OGRERR_NONE) std::abort();
      }
}

}  // namespace

std::vector<DrawnHouse> two_houses() {
  const DrawnBlock gable{500010, 5540010, 500020, 5540018, 100, 106};
  const DrawnBlock higher{500040, 5540010, 500052, 5540020, 101, 105};
  const DrawnBlock flat{500052, 5540010, 500060, 5540020, 101, 104};
  const DrawnBlock court{500055, 5540014, 500057, 5540016, 101, 104};
  return {{"DENW43AL00001iVt", {gable_part(gable, 109)}},
          {"DENW43AL00001j2W", {gable_part(higher, 110), flat_part(flat, court)}}};
}

std::string city_json(const std::vector<DrawnHouse>& houses, const CityJsonForm& form) {
  const std::string header = city_json_header(form);
  CityJsonWriter all(form);
  if (!form.sequence) {
    for (const DrawnHouse& house : houses) all.add(house);
    return header + all.objects() + "," + all.vertices() + "}\n";
  }
  std::string text = header + all.objects() + "," + all.vertices() + "}\n";
  for (const DrawnHouse& house : houses) {
    CityJsonWriter one(form);
    one.add(house);
    text += R"({"type":"CityJSONFeature","id":")" + house.id + R"(",)" + one.objects() + "," +
            one.vertices() + "}\n";
  }
  return text;
}

std::string city_gml(const std::vector<DrawnHouse>& houses, const CityGmlForm& form) {
  const std::string model = form.prefix + "CityModel", member = form.prefix + "cityObjectMember";
  const std::string own = form.prefix.empty() ? "xmlns" : "xmlns:core";
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<" + model + " " + own +
      "=\"http://www.opengis.net/citygml/" + form.version +
      "\" xmlns:bldg=\"http://www.opengis.net/citygml/building/" + form.version +
      "\" xmlns:gen=\"http://www.opengis.net/citygml/generics/" + form.version +
      "\" xmlns:gml=\"http://www.opengis.net/gml\" xmlns:xlink=\"http://www.w3.org/1999/xlink\">\n";
  text += "<gml:name>LoD2_32_500_5540_1_NW</gml:name>\n";
  if (!form.system_on_surfaces)
    text += "<gml:boundedBy><gml:Envelope srsName=\"" + form.system +
            "\" srsDimension=\"3\"><gml:lowerCorner>500000 5540000 100</gml:lowerCorner>"
            "<gml:upperCorner>501000 5541000 110</gml:upperCorner></gml:Envelope></gml:boundedBy>\n";
  CityGmlWriter writer(form);
  for (const DrawnHouse& house : houses)
    text += "<" + member + ">\n" + writer.building(house) + "</" + member + ">\n";
  return text + "</" + model + ">\n";
}

void write_city_geopackage(const std::vector<DrawnHouse>& houses, const std::string& path) {
  geo::register_gdal_drivers();
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GPKG");
  const geo::DatasetHandle file(driver->Create(path.c_str(), 0, 0, 0, GDT_Unknown, nullptr));
  add_city_layer(*file, "grounds", "GroundSurface", houses);
  add_city_layer(*file, "roofs", "RoofSurface", houses);
}

}  // namespace test
