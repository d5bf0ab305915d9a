#include "listing_slices.hpp"

#include <zlib.h>

namespace test {
namespace {

void put(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
}

std::string deflated(const std::string& content) {
  std::string packed(compressBound(content.size()) + 64, '\0');
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

const std::string kNw = "https://www.opengeodata.nrw.de/produkte/geobasis/hm/dom1_tiff/dom1_tiff/";

std::string nw_json(const std::string& product) {
  return R"({"datasets":[{"name":")" + product + R"(_kacheln","title":"Kacheln","files":[
    {"name":")" +
         product + R"(_32_355_5699_1_nw_2020.tif","size":"2117648","timestamp":"2025-03-11T08:00:00"},
    {"name":")" +
         product + R"(_32_356_5699_1_nw_2016.tif","size":"1999999","timestamp":"2018-03-11T08:00:00"},
    {"name":")" +
         product + R"(_32_356_5699_1_nw_2020.tif","size":"2104321","timestamp":"2025-03-11T08:00:00"},
    {"name":")" +
         product + R"(_meta.zip","size":"12","timestamp":"2025-03-11T08:00:00"},
    {"name":")" +
         product + R"(_32_470_5720_1_nw_2021.tif","size":"2000000","timestamp":"2025-03-11T08:00:00"}]}]})";
}

std::string rp_html() {
  return R"(<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN"><html><head><title>Index of /data/dom1/current/tif</title></head>
<body><pre><a href="?C=N;O=D">Name</a> <a href="../">Parent Directory</a>
<a href="dom1_32_445_5538_1_rp_2019.tif">dom1_32_445_5538_1_rp_2019.tif</a>  2024-01-01 10:00  1.9M
<a href="dom1_32_445_5538_1_rp_2023.tif">dom1_32_445_5538_1_rp_2023.tif</a>  2025-01-01 10:00  2.0M
<a href='dom1_32_446_5538_1_rp_2023.tif'>dom1_32_446_5538_1_rp_2023.tif</a>  2025-01-01 10:00  2.0M
</pre></body></html>)";
}

std::string bb_html() {
  return R"(<html><body><table><tr><td><a href="bdom_33367-5806.zip">bdom_33367-5806.zip</a></td><td>20M</td></tr>
<tr><td><a href="bdom_33368-5806.zip">bdom_33368-5806.zip</a></td></tr><tr><td><a href="bdom.csv">x</a></table>)";
}

std::string ni_geojson() {
  const std::string base = "https://dom1.s3.eu-de.cloud-object-storage.appdomain.cloud/";
  const std::string ring =
      R"("geometry":{"type":"Polygon","coordinates":[[[9.7200,52.3600],[9.7340,52.3600],[9.7340,52.3690],[9.7200,52.3690],[9.7200,52.3600]]]}})";
  return R"({"type":"FeatureCollection","features":[
    {"type":"Feature","properties":{"tile_id":"325495802","Aktualitaet":"2016-03-04","dom1":")" +
         base + R"(a_2016.tif"},)" + ring + R"(,
    {"type":"Feature","properties":{"tile_id":"325495802","Aktualitaet":"2021-03-04","dom1":")" +
         base + R"(a_2021.tif"},)" + ring + R"(,
    {"type":"Feature","properties":{"tile_id":"nowhere","Aktualitaet":null},"geometry":null}]})";
}

std::string sh_geojson() {
  return R"({"type":"FeatureCollection","features":[
    {"type":"Feature","properties":{"kachel":"325746020","datum":"2023","link_data":"https://geodaten.schleswig-holstein.de/gaialight-sh/_apps/dladownload/massen.php?file=bdom20nc_32_574_6020_1_sh_2023.tif&id=6&live=2023"},
     "geometry":{"type":"Polygon","coordinates":[[[574000,6020000],[575000,6020000],[575000,6021000],[574000,6021000],[574000,6020000]]]}},
    {"type":"Feature","properties":{"kachel":"325746020","datum":"2019","link_data":"https://geodaten.schleswig-holstein.de/gaialight-sh/_apps/dladownload/massen.php?file=bdom20nc_32_574_6020_1_sh_2019.tif&id=6&live=2019"},
     "geometry":{"type":"Polygon","coordinates":[[[574000,6020000],[575000,6020000],[575000,6021000],[574000,6021000],[574000,6020000]]]}}]})";
}

std::string ch_items() {
  const auto item = [](const std::string& year) {
    const std::string id = "swisssurface3d-raster_" + year + "_2600-1199";
    const std::string base = "https://data.geo.admin.ch/ch.swisstopo.swisssurface3d-raster/" + id + "/" + id;
    return R"({"type":"Feature","id":")" + id + R"(","properties":{"datetime":")" + year +
           R"(-01-01T00:00:00Z"},"assets":{
      "a":{"href":")" +
           base +
           R"(_0.5_2056_5728.tif","type":"image/tiff; application=geotiff; profile=cloud-optimized","checksum:multihash":"1220)" +
           std::string(64, year == "2019" ? 'A' : 'b') + R"("},
      "b":{"href":")" +
           base + R"(_0.5_2056_5728.xyz.zip"}}})";
  };
  return R"({"type":"FeatureCollection","features":[)" + item("2019") + "," + item("2023") +
         R"(],"links":[{"rel":"self","href":"x"}]})";
}

std::string at_feed() {
  std::string feed = R"(<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:inspire_dls="http://inspire.ec.europa.eu/schemas/inspire_dls/1.0"><title>BEV</title>)";
  for (const char* issue : {"15.09.2024", "15.09.2025"})
    for (const char* model : {"DSM", "DTM"})
      for (const char* square : {"N2750000E4750000", "N2800000E4750000", "N2650000E4400000"})
        feed += std::string("<entry><title>ALS ") + model + " CRS3035RES50000m" + square +
                " Höhenraster - Stichtag " + issue +
                "</title><link rel=\"alternate\" type=\"application/atom+xml\" "
                "href=\"https://data.bev.gv.at/geonetwork/srv/atom/describe/dataset?id=1\"/>"
                "<id>https://data.bev.gv.at/x</id></entry>";
  return feed + "</feed>";
}

std::string be_feed() {
  return R"(<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>bDOM</title>
<link rel="section" href="https://gdi.berlin.de/data/bdom/atom/390_5818.zip" type="application/zip" length="17000000" title="390_5818"/>
<link rel="section" href="https://gdi.berlin.de/data/bdom/atom/392_5818.zip" type="application/zip" title="392_5818"/></entry></feed>)";
}

std::string th_feed() {
  return R"(<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>DOM</title>
<link href="https://geoportal.geoportal-th.de/hoehendaten/DOM/dom_2014-2019/dom1_32_643_5650_1_th_2014-2019.zip"/>
<link href="https://geoportal.geoportal-th.de/hoehendaten/DOM/dom_2020-2025/dom1_32_643_5650_1_th_2020-2025.zip"/></entry></feed>)";
}

std::string mv_feed() {
  std::string feed = R"(<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>DOM1</title>)";
  for (const char* name : {"dom1_33_262_5946_2_xyz.zip", "dom1_33_262_5946_2_gtiff_rgb.tif",
                           "dom1_33_262_5946_2_schummerung.tif"})
    feed +=
        std::string(
            "<link href=\"https://www.geodaten-mv.de/dienste/dom_download?index=1&amp;dataset=x&amp;file=") +
        name + "\"/>";
  return feed + "</entry></feed>";
}

std::string by_metalink() {
  const auto file = [](const std::string& name, char sum) {
    return "<file name=\"" + name + "\"><size>36000000</size><hash type=\"sha-256\">" + std::string(64, sum) +
           "</hash><url priority=\"1\">https://download1.bayernwolke.de/a/dom20/DOM/" + name +
           "</url><url priority=\"2\">https://download2.bayernwolke.de/a/dom20/DOM/" + name + "</url></file>";
  };
  return R"(<?xml version="1.0" encoding="UTF-8"?><metalink xmlns="urn:ietf:params:xml:ns:metalink"><published>2026-01-01T00:00:00Z</published>)" +
         file("32691_5334_20_DOM.tif", '1') + file("32692_5334_20_DOM.tif", '2') + "</metalink>";
}

}  // namespace

std::string zip_of(const std::vector<ZipEntry>& entries, bool zip64) {
  std::string out, directory;
  for (const ZipEntry& entry : entries) {
    const std::string packed = entry.deflated ? deflated(entry.content) : entry.content;
    const auto sum = crc32(0, reinterpret_cast<const Bytef*>(entry.content.data()),
                           static_cast<uInt>(entry.content.size()));
    const std::uint64_t offset = out.size();
    const auto common = [&](std::string& to, bool central) {
      put(to, 20, 2), put(to, 0, 2), put(to, entry.deflated ? 8 : 0, 2), put(to, 0, 4), put(to, sum, 4);
      const bool wide = zip64 && central;
      put(to, wide ? 0xFFFFFFFF : packed.size(), 4), put(to, wide ? 0xFFFFFFFF : entry.content.size(), 4);
      put(to, entry.name.size(), 2), put(to, wide ? 28 : 0, 2);
    };
    put(out, 0x04034b50, 4);
    common(out, false);
    out += entry.name + packed;
    put(directory, 0x02014b50, 4), put(directory, 20, 2);
    common(directory, true);
    put(directory, 0, 2), put(directory, 0, 2), put(directory, 0, 2), put(directory, 0, 4);
    put(directory, zip64 ? 0xFFFFFFFF : offset, 4);
    directory += entry.name;
    if (zip64)
      put(directory, 1, 2), put(directory, 24, 2), put(directory, entry.content.size(), 8),
          put(directory, packed.size(), 8), put(directory, offset, 8);
  }
  const std::uint64_t begins = out.size();
  out += directory;
  if (zip64) {
    const std::uint64_t end64 = out.size();
    put(out, 0x06064b50, 4), put(out, 44, 8), put(out, 45, 2), put(out, 45, 2), put(out, 0, 4),
        put(out, 0, 4);
    put(out, entries.size(), 8), put(out, entries.size(), 8), put(out, directory.size(), 8),
        put(out, begins, 8);
    put(out, 0x07064b50, 4), put(out, 0, 4), put(out, end64, 8), put(out, 1, 4);
  }
  put(out, 0x06054b50, 4), put(out, 0, 4);
  put(out, zip64 ? 0xFFFF : entries.size(), 2), put(out, zip64 ? 0xFFFF : entries.size(), 2);
  put(out, zip64 ? 0xFFFFFFFF : directory.size(), 4), put(out, zip64 ? 0xFFFFFFFF : begins, 4),
      put(out, 0, 2);
  return out;
}

std::vector<Slice> listing_slices() {
  const std::string tile = "tile";
  const auto zip = [&](const std::vector<std::string>& names, bool zip64 = false) {
    std::vector<ZipEntry> entries;
    for (const std::string& name : names) entries.push_back({name, tile});
    return zip_of(entries, zip64);
  };
  const std::string st =
      "https://www.geodatenportal.sachsen-anhalt.de/gfds_webshare/download/LVermGeo/Geodatenportal/"
      "Online-Bereitstellung-LVermGeo/DOM/DOM1_";
  const std::string sl =
      "https://www.shop.lvgl.saarland.de/cloud/public.php/dav/files/NK8ndP55qAqGEZD/OD_DOM1_2025_tif_LK/"
      "DOM1_tif_";
  const std::string hh =
      "https://www.daten-hamburg.de/opendata/Digitales_Hoehenmodell_bDOM/dom1_hh_2022-11-21.zip";
  const std::string hb = "https://gdi2.geo.bremen.de/inspire/download/DOM/data/Gitternetz_DOM1_";
  std::vector<Slice> slices{
      {"de-nw", "dsm", kNw + "index.json", nw_json("dom1"), 356000, 5699000,
       kNw + "dom1_32_356_5699_1_nw_2020.tif", 2020, "6.94,51.43,0.3"},
      {"de-rp", "dsm", "https://geobasis-rlp.de/data/dom1/current/tif/", rp_html(), 445000, 5538000,
       "https://geobasis-rlp.de/data/dom1/current/tif/dom1_32_445_5538_1_rp_2023.tif", 2023, ""},
      {"de-bb", "dsm", "https://data.geobasis-bb.de/geobasis/daten/bdom/tif/", bb_html(), 367000, 5806000,
       "https://data.geobasis-bb.de/geobasis/daten/bdom/tif/bdom_33367-5806.zip", 0, ""},
      {"de-ni", "dsm",
       "https://arcgis-geojson.s3.eu-de.cloud-object-storage.appdomain.cloud/dom1/"
       "lgln-opengeodata-dom1.geojson",
       ni_geojson(), 549000, 5801000, "https://dom1.s3.eu-de.cloud-object-storage.appdomain.cloud/a_2021.tif",
       2021, ""},
      {"de-sh", "dsm",
       "https://geodaten.schleswig-holstein.de/gaialight-sh/_apps/dladownload/"
       "single.php?file=bDOM_SH_Massendownload.geojson&id=4",
       sh_geojson(), 574000, 6020000,
       "https://geodaten.schleswig-holstein.de/gaialight-sh/_apps/dladownload/"
       "massen.php?file=bdom20nc_32_574_6020_1_sh_2023.tif&id=6&live=2023",
       2023, ""},
      {"ch", "dsm",
       "https://data.geo.admin.ch/api/stac/v1/collections/ch.swisstopo.swisssurface3d-raster/items?limit=100",
       ch_items(), 2600000, 1199000,
       "https://data.geo.admin.ch/ch.swisstopo.swisssurface3d-raster/swisssurface3d-raster_2023_2600-1199/"
       "swisssurface3d-raster_2023_2600-1199_0.5_2056_5728.tif",
       2023, ""},
      {"at", "dsm",
       "https://data.bev.gv.at/geonetwork/srv/atom/describe/"
       "service?uuid=208cff7a-c8aa-42fe-bf4f-2b8156e37528",
       at_feed(), 4750000, 2800000,
       "https://data.bev.gv.at/download/ALS/DSM/20250915/ALS_DSM_CRS3035RES50000mN2800000E4750000.tif", 2025,
       ""},
      {"de-be", "dsm", "https://gdi.berlin.de/data/bdom/atom/0.atom", be_feed(), 390000, 5818000,
       "https://gdi.berlin.de/data/bdom/atom/390_5818.zip", 0, ""},
      {"de-th", "dsm",
       "https://geoportal.geoportal-th.de/dienste/"
       "atom_th_hoehendaten_dom?type=dataset&id=3b5d8d9c-775d-4617-8dfe-71480d6472a6",
       th_feed(), 643000, 5650000,
       "https://geoportal.geoportal-th.de/hoehendaten/DOM/dom_2020-2025/dom1_32_643_5650_1_th_2020-2025.zip",
       2025, ""},
      {"de-mv", "dsm",
       "https://www.geodaten-mv.de/dienste/dom_atom?type=dataset&id=us214578-a1n5-4v12-v31c-5tg2az3a2164",
       mv_feed(), 262000, 5946000,
       "https://www.geodaten-mv.de/dienste/dom_download?index=1&dataset=x&file=dom1_33_262_5946_2_xyz.zip", 0,
       ""},
      {"de-by", "dsm", "https://geodaten.bayern.de/odd/a/dom20/meta/DOM/metalink/091.meta4", by_metalink(),
       691000, 5334000, "https://download1.bayernwolke.de/a/dom20/DOM/32691_5334_20_DOM.tif", 0, ""},
      {"de-hh", "dsm", hh, zip({"dom1_hh/", "dom1_hh/dom1_32_566_5934_1_hh_2022.tif", "liesmich.pdf"}),
       566000, 5934000, hh + "#dom1_hh/dom1_32_566_5934_1_hh_2022.tif", 2022, ""},
      {"de-hb", "dsm", hb + "2017_HB_ASCII_XYZ.zip",
       zip({"dom1_32485__5883_1_hb.xyz", "dom1_32486_5883_1_hb.xyz"}), 485000, 5883000,
       hb + "2017_HB_ASCII_XYZ.zip#dom1_32485__5883_1_hb.xyz", 0, ""},
      {"de-sl", "dsm", sl + "SB_EPSG-25832_Entstehung-2025.zip",
       zip({"DOM1/dom1_32_354_5455_1_SL_2025.tif"}, true), 354000, 5455000,
       sl + "SB_EPSG-25832_Entstehung-2025.zip#DOM1/dom1_32_354_5455_1_SL_2025.tif", 2025, ""},
      {"de-st", "dsm", st + "1.zip",
       zip({"dom1_32_680_5778_2_st_2022.tif", "dom1_32_680_5778_2_st_2019.tif"}), 680000, 5778000,
       st + "1.zip#dom1_32_680_5778_2_st_2022.tif", 2022, ""},
  };
  return slices;
}

}  // namespace test
