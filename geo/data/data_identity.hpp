// What a result depends on besides the program: the data and the libraries that read them. Two machines with
// equal ones compute equal results.
#pragma once
#include <string>

#include "geo/data/catalogue.hpp"
#include "geo/failure.hpp"

namespace geo {

/// A digest of the files that the catalogue's data sets are made of: their names beside the catalogue, their
/// sizes, and their bytes. Of a file of more than 64 MB 1024 blocks of 64 KB, evenly spread, are read, so
/// that a country's data take seconds. Of a tile index's tiles the names and sizes. Fails when a file cannot
/// be read.
Result<std::string> digest_of(const Catalogue& catalogue);

/// GDAL and PROJ.
std::string library_versions();

}  // namespace geo
