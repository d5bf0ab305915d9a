// What a country's address register costs on disk. `bench_addresses import HOUSES FOLDER` writes a made-up
// register as an office would (HK-DE, 24 columns), imports it, and keeps some of its addresses;
// `bench_addresses ask FOLDER` opens the index and asks. Apart, so that the memory of the one does not count
// as the other's.
#include <time.h>

#include <charconv>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "benchmarks/geo/made_up_houses.hpp"
#include "geo/address_import/import.hpp"
#include "geo/addresses/register.hpp"
#include "geo/data/coordinate_system.hpp"
#include "geo/data/gdal.hpp"

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}
/// Time that this thread has computed: what others on the machine do does not count.
double processor_s() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// MB that are the process's own, without the pages of files.
long own_memory_mb(const char* what = "RssAnon:") {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(what)) return std::stol(line.substr(std::strlen(what))) / 1024;
  return 0;
}

/// A row of HK-DE. UTM is not needed exactly: a plain scaling that PROJ brings back into Germany.
void write_row(std::ofstream& out, const geo::House& house, std::size_t number) {
  const auto digits = std::min(house.number.find_first_not_of("0123456789"), house.number.size());
  const double east = 500'000 + (house.place.lon_deg - 9) * 70'000, north = house.place.lat_deg * 111'200;
  char line[600];
  const int length = std::snprintf(
      line, sizeof line,
      "N;DENW%012zu;A;05;Land;1;Bezirk;11;Kreis;000;%s;0000;%s;%05zu;%s;%s;%s;32;%.3f;%.3f;%s;%s;;\r\n",
      number, house.town.c_str(), house.also_in.empty() ? "" : house.also_in[0].c_str(), number % 99'999,
      house.street.c_str(), house.number.substr(0, digits).c_str(), house.number.substr(digits).c_str(), east,
      north, house.postcode.c_str(), house.postcode.empty() ? "" : house.town.c_str());
  out.write(line, length);
}

int import(std::size_t houses, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  const std::string table = (folder / "hk.csv").string(), index = (folder / "houses.addr").string();
  {
    std::ofstream out(table, std::ios::binary), sample(folder / "sample.txt");
    std::size_t number = 0;
    MadeUpHouses(houses).each([&](const geo::House& house) {
      write_row(out, house, ++number);
      if (number % (houses / 5'000 + 1) == 0)
        sample << house.street << '\t' << house.number << '\t' << house.postcode << '\t' << house.town
               << '\n';
    });
  }
  std::cout << "table: " << std::filesystem::file_size(table) / 1'000'000 << " MB\n" << std::flush;
  const auto begin = Clock::now();
  const double before_s = processor_s();
  const auto done =
      geo::import_addresses({{table}, "hk-de", index}, [](const geo::ImportProgress&) { return true; });
  if (!done) {
    std::cerr << done.error().text << "\n";
    return 1;
  }
  const double took = seconds_since(begin), processor = processor_s() - before_s;
  std::cout << *done << "\nimport: " << took << " s, " << processor << " s of processor, "
            << static_cast<double>(houses) / processor << " rows/s of processor; most memory "
            << own_memory_mb("VmHWM:") << " MB; index " << std::filesystem::file_size(index) / 1'000'000
            << " MB\n";
  std::filesystem::remove(table);
  return 0;
}

void tell(const char* what, std::vector<double> took_ms, const std::string& besides = "") {
  std::sort(took_ms.begin(), took_ms.end());
  const auto at = [&](double part) {
    return took_ms[static_cast<std::size_t>(part * static_cast<double>(took_ms.size() - 1))];
  };
  std::printf("%-44s median %8.4f ms   95 %% %8.4f   most %8.4f   %s\n", what, at(0.5), at(0.95), at(1),
              besides.c_str());
}

template <class Ask>
void measure(const char* what, const std::vector<std::string>& texts, const Ask& ask) {
  std::vector<double> took_ms;
  std::size_t answered = 0;
  for (const std::string& text : texts) {
    const double begin_s = processor_s();
    answered += ask(text) ? 1 : 0;
    took_ms.push_back((processor_s() - begin_s) * 1e3);
  }
  tell(what, std::move(took_ms),
       std::to_string(answered) + " of " + std::to_string(texts.size()) + " answered");
}

std::string misspelt(std::string text) {
  if (text.size() > 6) std::swap(text[text.size() / 2], text[text.size() / 2 + 1]);
  return text;
}

int ask(const std::filesystem::path& folder, const std::string& only) {
  const long before_mb = own_memory_mb();
  const auto begin = Clock::now();
  auto index = geo::AddressIndex::open((folder / "houses.addr").string());
  if (!index) {
    std::cerr << index.error().text << "\n";
    return 1;
  }
  std::vector<geo::AddressIndex> registers;
  registers.push_back(std::move(*index));
  const geo::AddressRegister all(std::move(registers));
  std::cout << all.size() << " houses, opened in " << seconds_since(begin) * 1e3 << " ms\n";
  const auto find = [&](const std::string& text) {
    return all.find(text).kind != geo::AddressMatch::Kind::unknown;
  };
  if (!only.empty()) {
    measure(only.c_str(), std::vector<std::string>(50, only), find);
    for (const std::string& candidate : all.find(only).candidates) std::cout << "  " << candidate << "\n";
    return 0;
  }
  std::vector<std::string> own, other, without_postcode, typos, without_number;
  std::vector<geo::LonLat> places;
  std::ifstream sample(folder / "sample.txt");
  for (std::string line; std::getline(sample, line);) {
    std::vector<std::string> f;
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, '\t');) f.push_back(cell);
    own.push_back(f[0] + " " + f[1] + ", " + (f[2].empty() ? "" : f[2] + " ") + f[3]);
    other.push_back((f[2].empty() ? "" : f[2] + " ") + f[3] + ", " + f[0] + " " + f[1]);
    without_postcode.push_back(f[0] + " " + f[1] + " " + f[3] + " Deutschland");
    typos.push_back(misspelt(f[0]) + " " + f[1] + ", " + f[3]);
    without_number.push_back(f[0] + ", " + f[3]);
    if (const auto found = all.look_up(geo::AddressText(own.back()))) places.push_back(found->house.place);
  }
  const auto look_up = [&](const std::string& text) {
    return all.look_up(geo::AddressText(text)).has_value();
  };
  measure("look-up, as the register writes it", own, look_up);
  measure("look-up, in another order", other, look_up);
  measure("look-up, without a postcode", without_postcode, look_up);
  measure("find, a misspelt street", typos, find);
  measure("find, a street without a number", without_number, find);
  for (const char* text :
       {"Hauptstraße 5", "Hauptstraße", "Haubtstraße 5", "Hauptstraße 1739", "Hauptstraße 5, 10115"})
    measure(text, std::vector<std::string>(20, text), find);
  for (const char* word : {"auf ", "Hauptstraße 1 ", "straße gasse weg ", "berten", "1 "}) {
    std::string text;
    while (text.size() + std::strlen(word) <= 200) text += word;
    measure((std::string("200 characters of ") + word).c_str(), std::vector<std::string>(10, text), find);
  }
  std::vector<double> took_ms;
  std::size_t neighbours = 0;
  for (const geo::LonLat place : places) {
    const double asked_s = processor_s();
    neighbours += all.near(place, 0.0012).size();
    took_ms.push_back((processor_s() - asked_s) * 1e3);
  }
  if (!places.empty())
    tell("neighbours within 130 m", std::move(took_ms),
         std::to_string(neighbours / places.size()) + " on average");
  std::cout << "memory of its own: " << own_memory_mb() - before_mb << " MB\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  geo::register_gdal_drivers();
  if (argc == 4 && std::string(argv[1]) == "import") return import(std::stoull(argv[2]), argv[3]);
  if ((argc == 3 || argc == 4) && std::string(argv[1]) == "ask")
    return ask(argv[2], argc == 4 ? argv[3] : "");
  std::cerr << "usage: bench_addresses import HOUSES FOLDER | bench_addresses ask FOLDER [ADDRESS]\n";
  return 2;
}
