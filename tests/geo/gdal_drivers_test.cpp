// What GDAL may open: the formats that a catalogue needs and no others, so that what a data server sends
// cannot reach the hundred parsers beside them.
#include <gdal_priv.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <set>
#include <string>

#include "geo/data/gdal.hpp"
#include "geo/data/gdal_drivers.hpp"
#include "tests/temporary_folder.hpp"

namespace {

std::set<std::string> registered() {
  geo::register_gdal_drivers();
  std::set<std::string> names;
  for (int i = 0; i < GetGDALDriverManager()->GetDriverCount(); ++i)
    names.insert(GetGDALDriverManager()->GetDriver(i)->GetDescription());
  return names;
}

TEST(GdalDrivers, AreThoseThatTheProgramNames) {
  const std::set<std::string> all = registered();
  for (const std::string& name : all)
    EXPECT_NE(std::find(geo::kGdalDrivers.begin(), geo::kGdalDrivers.end(), name), geo::kGdalDrivers.end())
        << name;
  for (const char* needed : {"GTiff", "VRT", "GPKG", "CSV", "MEM", "Memory", "PNG", "JPEG"})
    EXPECT_TRUE(all.contains(needed)) << needed;
}

TEST(GdalDrivers, OpenNoFormatOutsideOfThem) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("a.dxf"))
      << "0\nSECTION\n2\nENTITIES\n0\nPOINT\n8\n0\n10\n1.0\n20\n1.0\n0\nENDSEC\n0\nEOF\n";
  std::ofstream(folder.file("a.csv")) << "strasse,lon,lat\nGasse,16,48\n";
  EXPECT_EQ(geo::open_dataset(folder.file("a.dxf"), GDAL_OF_VECTOR), nullptr);
  EXPECT_NE(geo::open_dataset(folder.file("a.csv"), GDAL_OF_VECTOR), nullptr) << "one of them";
}

TEST(GdalDrivers, TakeNoAddressInMemoryForADataSet) {
  const double value = 4711;
  const std::string memory = "MEM:::DATAPOINTER=" + std::to_string(reinterpret_cast<std::uintptr_t>(&value)) +
                             ",PIXELS=1,LINES=1,DATATYPE=Float64";
  EXPECT_EQ(geo::open_dataset(memory, GDAL_OF_RASTER), nullptr);
}

/// 0, or 1 and on stderr the items of GDAL's drivers that are made only when they are asked for.
int items_made_when_asked_for() {
  geo::register_gdal_drivers();
  int found = 0;
  for (int i = 0; i < GetGDALDriverManager()->GetDriverCount(); ++i) {
    GDALDriver& driver = *GetGDALDriverManager()->GetDriver(i);
    for (const char* item :
         {GDAL_DMD_CREATIONOPTIONLIST, GDAL_DMD_OPENOPTIONLIST, GDAL_DS_LAYER_CREATIONOPTIONLIST}) {
      const bool made = CSLFetchNameValue(driver.GDALMajorObject::GetMetadata(), item) != nullptr;
      if (made || !driver.GetMetadataItem(item)) continue;
      std::cerr << driver.GetDescription() << " " << item << "\n";
      found = 1;
    }
  }
  return found;
}

// In a process of its own, where nobody has asked before.
TEST(GdalDrivers, HaveAllTheirItemsBeforeTwoThreadsCanMakeOneAtOnce) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(std::exit(items_made_when_asked_for()), testing::ExitedWithCode(0), "");
}

}  // namespace
