// `roofd config check`: what would stop the service at its start, or make every run fail, is told beforehand
// in the words of `roofd serve`.
#include <gdal_priv.h>
#include <gmock/gmock.h>
#include <ogr_spatialref.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "tests/certificate.hpp"
#include "tests/http/service/running_service.hpp"

namespace {

namespace fs = std::filesystem;
using test::Ended;
using test::run_roofd;
using test::RunningService;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Options = std::vector<std::string>;

/// A copy of the sample region whose data sets a test spoils, and a data directory that is not there yet.
class Place {
 public:
  Place() {
    fs::copy(fs::path(test::sample_region().catalogue).parent_path(), path("region"),
             fs::copy_options::recursive);
  }
  std::string path(const std::string& name) const { return folder_.path(name); }
  std::string data_dir() const { return path("data"); }

  /// The data set of a kind is another file from now on.
  void put(const std::string& kind, const std::string& file) const {
    std::ifstream in(path("region/geodata.json"));
    nlohmann::json catalogue = nlohmann::json::parse(in);
    auto& sets = catalogue["datasets"];
    sets.erase(std::remove_if(sets.begin(), sets.end(), [&](const auto& set) { return set["kind"] == kind; }),
               sets.end());
    if (!file.empty()) sets.push_back({{"kind", kind}, {"path", file}});
    std::ofstream(path("region/geodata.json")) << catalogue;
  }
  Ended check(const Options& more = {}) const { return run("config", more); }
  Ended serve(const Options& more = {}) const { return run("serve", more); }

 private:
  Ended run(const std::string& command, const Options& more) const {
    Options arguments{command};
    if (command == "config") arguments.push_back("check");
    const std::ofstream empty(path("empty.conf"));
    for (const std::string& argument :
         {"--geodata=" + path("region/geodata.json"), "--data-dir=" + data_dir(),
          std::string("--http.port=0"), std::string("--admin.port=0"), "--config-file=" + path("empty.conf")})
      arguments.push_back(argument);
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_roofd(arguments);
  }
  TemporaryFolder folder_;
};

/// `config check` and `serve` both refuse, in the same words: one line that names what is wrong.
void expect_both_refuse(const Place& place, const std::string& named, const Options& more = {}) {
  const Ended checked = place.check(more);
  const Ended served = place.serve(more);
  EXPECT_EQ(checked.exit_code, 2) << checked.out;
  EXPECT_EQ(served.exit_code, 2) << served.out;
  EXPECT_EQ(checked.err, served.err);
  EXPECT_THAT(checked.err, HasSubstr(named));
  EXPECT_EQ(std::count(checked.err.begin(), checked.err.end(), '\n'), 1) << checked.err;
  EXPECT_THAT(checked.out, IsEmpty());
}

void write_raster(const std::string& path, int bands) {
  GDALAllRegister();
  const std::unique_ptr<GDALDataset, decltype(&GDALClose)> raster(
      GetGDALDriverManager()->GetDriverByName("GTiff")->Create(path.c_str(), 20, 20, bands, GDT_Float32,
                                                               nullptr),
      GDALClose);
  std::array<double, 6> place{10, 0.5, 0, 55, 0, -0.5};
  raster->SetGeoTransform(place.data());
  OGRSpatialReference wgs84;
  wgs84.importFromEPSG(4326);
  raster->SetSpatialRef(&wgs84);
  for (int band = 1; band <= bands; ++band) raster->GetRasterBand(band)->Fill(100);
}

TEST(ConfigCheck, SaysThatAWholeConfigurationServesAndLeavesNothingBehind) {
  const Place place;
  const Ended ended = place.check();
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("can serve"));
  EXPECT_FALSE(fs::exists(place.data_dir()));
}

TEST(ConfigCheck, ReadsTheAddressRegister) {
  const Place place;
  std::ofstream(place.path("region/streets.csv")) << "road,number\nMain,1\n";
  place.put("addresses", "streets.csv");
  expect_both_refuse(place, "streets.csv");
}

TEST(ConfigCheck, MissesARegisterWhereAddressesAreLookedUpInOne) {
  const Place place;
  place.put("addresses", "");
  expect_both_refuse(place, "--geocoder=register");
}

TEST(ConfigCheck, FindsThatTheRegisterIsAnotherTowns) {
  const Place place;
  std::ofstream(place.path("region/essen.csv"))
      << "strasse,hausnummer,plz,ort,land,lon,lat\nMarkt,1,45127,Essen,DE,7.0123,51.4575\n";
  place.put("addresses", "essen.csv");
  expect_both_refuse(place, "no house of the addresses lies in a surface model");
  EXPECT_EQ(place.check({"--geocoder=photon", "--geocoding.url=https://photon.example"}).exit_code, 0)
      << "which finds its places elsewhere";
}

TEST(ConfigCheck, WantsAYearOfIrradiance) {
  const Place place;
  write_raster(place.path("region/year.tif"), 1);
  place.put("irradiance", "year.tif");
  expect_both_refuse(place, "year.tif: an irradiance raster has twelve bands");
  write_raster(place.path("region/months.tif"), 12);
  place.put("irradiance", "months.tif");
  EXPECT_EQ(place.check().exit_code, 0);
}

TEST(ConfigCheck, WantsToKnowWhereFootprintsLie) {
  const Place place;
  std::ofstream(place.path("region/houses.csv")) << "wkt\n\"POLYGON((0 0,9 0,9 9,0 0))\"\n";
  std::ofstream(place.path("region/houses.vrt"))
      << "<OGRVRTDataSource><OGRVRTLayer name=\"houses\"><SrcDataSource>" << place.path("region/houses.csv")
      << "</SrcDataSource><GeometryType>wkbPolygon</GeometryType><GeometryField encoding=\"WKT\" "
         "field=\"wkt\"/>"
         "</OGRVRTLayer></OGRVRTDataSource>";
  place.put("buildings", "houses.vrt");
  expect_both_refuse(place, "houses.vrt: layer houses has no coordinate reference system");
}

TEST(ConfigCheck, NamesEveryFaultInALineOfItsOwn) {
  const Place place;
  write_raster(place.path("region/year.tif"), 1);
  place.put("irradiance", "year.tif");
  std::ofstream(place.data_dir()) << "a file";
  const Ended ended = place.check();
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.err, AllOf(HasSubstr("year.tif: an irradiance raster"),
                               HasSubstr(place.data_dir() + ": the data directory")));
  EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 2) << ended.err;
}

TEST(ConfigCheck, FindsThatAPortIsTaken) {
  const RunningService other;
  const Place place;
  const std::string port = std::to_string(other.port());
  expect_both_refuse(place, "--http.port: 127.0.0.1:" + port + " cannot be listened on",
                     {"--http.port=" + port});
  expect_both_refuse(place, "--admin.port: 127.0.0.1:" + port + " cannot be listened on",
                     {"--admin.port=" + port});
}

TEST(ConfigCheck, FindsThatBothPortsAreTheSame) {
  const Place place;
  expect_both_refuse(place, "--http.port and --admin.port", {"--http.port=31999", "--admin.port=31999"});
}

TEST(ConfigCheck, FindsThatAnotherProcessHoldsTheDataDirectory) {
  RunningService other;
  const Place place;
  fs::remove(other.data_dir() + "/roofd.sock");  // as if it hung
  expect_both_refuse(place, other.data_dir() + ": another process holds the data directory",
                     {"--data-dir=" + other.data_dir()});
}

TEST(ConfigCheck, FindsThatTheDataDirectoryIsNone) {
  const Place place;
  std::ofstream(place.data_dir()) << "a file";
  expect_both_refuse(place, place.data_dir() + ": the data directory cannot be made");
}

TEST(ConfigCheck, DisturbsNoServerThatItLooksAt) {
  RunningService service;
  const std::string key = service.new_key();
  const Place place;
  const Options beside{"--data-dir=" + service.data_dir(), "--http.port=" + std::to_string(service.port())};
  const Ended ended = place.check(beside);
  EXPECT_EQ(ended.exit_code, 0) << "so a changed configuration is tried before the restart: " << ended.err;
  EXPECT_THAT(ended.out, HasSubstr(service.data_dir() + ": a service runs on these data"));
  EXPECT_EQ(service.create(key, 0).status, 202);
  EXPECT_EQ(place.serve(beside).exit_code, 2) << "and its lock is still its own";
}

TEST(ConfigCheck, MissesFilesWithResults) {
  RunningService service;
  const std::string key = service.new_key();
  ASSERT_EQ(service.create(key, 0).status, 202);
  ASSERT_EQ(service.await_result(key, 1).status, 200);
  for (int i = 0; i < 2; ++i) service.stop(), service.start();  // from the log into files
  service.stop();
  std::string lost;
  for (const auto& file : fs::directory_iterator(service.data_dir() + "/store"))
    if (file.path().extension() == ".blob") lost = file.path();
  ASSERT_FALSE(lost.empty());
  const Place place;
  const Options there{"--data-dir=" + service.data_dir()};
  EXPECT_EQ(place.check(there).exit_code, 0);
  const auto whole = fs::file_size(lost);
  for (const auto size : {whole - 1, whole + 1}) {
    fs::resize_file(lost, size);
    EXPECT_EQ(place.check(there).exit_code, 1) << size;
  }
  fs::remove(lost);
  const Ended ended = place.check(there);
  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_THAT(ended.err, AllOf(HasSubstr("another size"), HasSubstr(fs::path(lost).filename().string())));
  service.start();
  EXPECT_THAT(service.log(), HasSubstr(fs::path(lost).filename().string())) << "the others are served";
  EXPECT_EQ(service.get("/projekte/1/dachanalyse", key).code(), "analyse_unlesbar");
}

TEST(ConfigCheck, WantsAMailServerAndItsPassword) {
  const Place place;
  for (const char* wrong :
       {"foo", "mail.example", "mail.example:587", "ftp://mail.example", "smtp://", "https://mail.example",
        "smtp://anna:secret@mail.example", "smtp://mail.example/?x"})
    expect_both_refuse(place, std::string("--mail.smtp-url=") + wrong,
                       {std::string("--mail.smtp-url=") + wrong});
  for (const char* right : {"smtp://mail.example:587", "smtps://mail.example", "smtp://[::1]:25/",
                            "smtp://mail.example/roof.example"})
    EXPECT_EQ(place.check({std::string("--mail.smtp-url=") + right}).exit_code, 0) << right;
  expect_both_refuse(place, "--mail.password-file",
                     {"--mail.smtp-url=smtp://mail.example", "--mail.user=anna"});
}

TEST(ConfigCheck, WantsOriginsAsBrowsersSendThem) {
  const Place place;
  for (const char* wrong : {"foo", "https://a.example/", "https://a.example/x", "HTTPS://a.example",
                            "https://A.example", "https://a.example:443", "https://a.example,b.example"})
    expect_both_refuse(place, "--http.cors-origin: ", {std::string("--http.cors-origin=") + wrong});
  for (const char* right : {"*", "null", "capacitor://localhost", "https://a.example, http://localhost:3000",
                            "https://xn--bcher-kva.example"})
    EXPECT_EQ(place.check({std::string("--http.cors-origin=") + right}).exit_code, 0) << right;
}

TEST(ConfigCheck, WarnsOfACertificateThatHasEnded) {
  const Place place;
  const auto with = [](const test::PemFiles& files) {
    return Options{"--http.tls-cert=" + files.certificate, "--http.tls-key=" + files.key};
  };
  EXPECT_EQ(place.check(with(test::make_certificate(place.path("good")))).exit_code, 0);
  const Ended ended = place.check(with(test::make_certificate(place.path("old"), -60)));
  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_THAT(ended.err, HasSubstr("old.crt has ended"));

  const test::PemFiles chain = test::make_certificate(place.path("chain"));
  std::ofstream(chain.certificate, std::ios::app) << std::ifstream(place.path("old.crt")).rdbuf();
  EXPECT_THAT(place.check(with(chain)).err, HasSubstr("chain.crt, certificate 2, has ended"));
}

TEST(ConfigCheck, WarnsOfPagesBelowAPath) {
  const Place place;
  const Options below{"--http.base-url=https://roof.example/solar/api/v1"};
  const Ended ended = place.check(below);
  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_THAT(ended.err, HasSubstr("https://roof.example/solar"));
  EXPECT_EQ(place.check({below[0], "--web.pages=off"}).exit_code, 0);
  EXPECT_EQ(place.check({below[0], "--http.web-url=https://roof.example"}).exit_code, 0);
}

TEST(ConfigCheck, TakesADataDirectoryWithDataInIt) {
  RunningService service;
  service.new_key();
  service.stop();
  const Place place;
  const Ended ended = place.check({"--data-dir=" + service.data_dir()});
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
}

std::string write_key(const std::string& path) {
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  const std::unique_ptr<FILE, decltype(&fclose)> out(fopen(path.c_str(), "w"), fclose);
  PEM_write_PrivateKey(out.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  return path;
}

TEST(ConfigCheck, ReadsCertificateAndKey) {
  const Place place;
  const std::string key = write_key(place.path("key.pem"));
  expect_both_refuse(place, "--http.tls-cert=" + place.path("absent.pem"),
                     {"--http.tls-cert=" + place.path("absent.pem"), "--http.tls-key=" + key});
}

TEST(ConfigCheck, WantsAbsoluteAddressesForLinks) {
  const Place place;
  for (const char* wrong :
       {"foo", "roof.example/api/v1", "ftp://roof.example/api/v1", "https://roof.example", "https:///api/v1",
        "https://roof.example/api/v1?x=1", "https://roof.example/api/v1#x", "https://a@roof.example/api/v1",
        "https://roof.example/a b/api/v1"})
    expect_both_refuse(place, std::string("--http.base-url=") + wrong,
                       {std::string("--http.base-url=") + wrong});
  for (const char* right : {"https://roof.example/api/v1", "http://10.0.0.1:8080/solar/api/v1/"}) {
    const Ended ended = place.check({std::string("--http.base-url=") + right, "--web.pages=off"});
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
  }
  expect_both_refuse(place, "--http.web-url=app", {"--http.web-url=app"});
  expect_both_refuse(place, "--geocoding.url=photon", {"--geocoder=photon", "--geocoding.url=photon"});
}

TEST(ConfigCheck, WantsValuesWithinTheirBounds) {
  const Place place;
  for (const char* wrong : {"--http.threads=100000", "--module.gap=-0.1", "--module.power=1e400",
                            "--analysis.slots=0", "--analysis.retention=4294967295", "--log.level=loud"}) {
    const std::string option = wrong;
    expect_both_refuse(place, option.substr(0, option.find('=')), {option});
  }
}

// ---- roofd.conf ---------------------------------------------------------------------------------------

/// What the file says is refused as a flag would be, with its file and line.
void expect_refused_at(const std::string& text, int line, const std::string& named) {
  const Place place;
  std::ofstream(place.path("roofd.conf")) << text;
  expect_both_refuse(place, place.path("roofd.conf") + ":" + std::to_string(line) + ": ",
                     {"--config-file=" + place.path("roofd.conf")});
  EXPECT_THAT(place.check({"--config-file=" + place.path("roofd.conf")}).err, HasSubstr(named)) << text;
}

TEST(ConfigurationFile, RefusesAValueThatIsNone) {
  expect_refused_at("[module]\n; a comment\npower=\"strong\"\n", 3, "module.power=strong");
  expect_refused_at("[analysis]\nslots=2.5\n", 2, "analysis.slots=2.5");
  expect_refused_at("[analysis]\nslots=-1\n", 2, "analysis.slots=-1");
  expect_refused_at("[actors]\n\n\ngeocoders=4294967296\n", 4, "actors.geocoders=4294967296");
}

TEST(ConfigurationFile, RefusesAValueOutOfItsBounds) {
  expect_refused_at("[http]\ndeadline=30\nidle-timeout=0\n", 3, "http.idle-timeout");
  expect_refused_at("[http]\nbase-url=\"foo\"\n", 2, "http.base-url");
  expect_refused_at("geocoder=\"nobody\"\n", 1, "geocoder=nobody");
}

TEST(ConfigurationFile, RefusesOptionsAndGroupsThatThereAreNot) {
  expect_refused_at("[http]\nprot=8080\n", 2, "http.prot is not an option");
  expect_refused_at("nonsense=1\n", 1, "nonsense is not an option");
  expect_refused_at("[htpp]\nport=8080\n", 1, "[htpp]");
  expect_refused_at("[logger]\nloudness=3\n", 2, "logger.loudness");
  expect_refused_at("[http]\nthreads=2\n[http\n", 3, "not understood");
}

TEST(ConfigurationFile, TakesWhatAFlagTakes) {
  const Place place;
  std::ofstream(place.path("roofd.conf"))
      << "[module]\npower=500\nedge-margin=1\n[scheduler]\nmax-threads=3\n[http]\nthreads=0\n";
  const Ended ended = place.check({"--config-file=" + place.path("roofd.conf"), "--http.threads=1"});
  EXPECT_EQ(ended.exit_code, 0) << "the flag wins: " << ended.err;
}

}  // namespace
